#!/usr/bin/env bash
# Measures what a load generator costs: requests per second and CPU time per
# request of respbench and of every peer that is installed, on the same work,
# against a server that answers +OK and does nothing else. Runs are interleaved
# and the ratios to redis-benchmark are taken round by round, so that a machine
# which is faster in one minute than in the next does not decide the result.
#
#   scripts/bench.sh                five rounds
#   ROUNDS=9 SECONDS_EACH=2 scripts/bench.sh
#
# Linux only. Server and client are pinned to different CPUs where there are two.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${ROUNDS:-5}
seconds_each=${SECONDS_EACH:-3}
connections=50
keys=10000000
work=$(mktemp -d)
server=

finish() {
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
	fi
	rm -rf "$work"
}
trap finish EXIT

say() { printf '%s\n' "$*" >&2; }

if [ "$(uname -s)" != Linux ]; then
	say "bench.sh: needs Linux"
	exit 1
fi
if ! command -v redis-benchmark >/dev/null; then
	if ! command -v apt-get >/dev/null; then
		say "bench.sh: redis-benchmark is not installed; it is part of Redis"
		exit 1
	fi
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
	fi
	say "installing redis-tools"
	$sudo apt-get update >/dev/null
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y redis-tools >/dev/null
fi

go build -o "$work/respbench" .
go build -o "$work/nullserver" ./internal/nullserver

# The ids of the CPUs that this shell may use, one a line.
cpus() {
	awk '/^Cpus_allowed_list:/ { n = split($2, parts, ","); for (i = 1; i <= n; i++) {
		m = split(parts[i], ends, "-"); for (c = ends[1]; c <= ends[m]; c++) print c } }' /proc/self/status
}
mapfile -t cpu < <(cpus)
on_server=()
on_client=()
if [ "${#cpu[@]}" -ge 2 ] && command -v taskset >/dev/null; then
	on_server=(taskset -c "${cpu[0]}")
	on_client=(taskset -c "${cpu[1]}")
fi

# A free port of the loopback interface.
port=7400
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
	port=$((port + 1))
done
"${on_server[@]}" "$work/nullserver" "127.0.0.1:$port" &
server=$!
for _ in $(seq 100); do
	if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
		break
	fi
	sleep 0.05
done

# command TOOL OPERATION PIPELINE REQUESTS prints the command line, a word a line.
command_of() {
	local tool=$1 operation=$2 pipeline=$3 requests=$4
	case $tool in
	respbench)
		local template="SET <key uniform $keys> <value 64>"
		if [ "$operation" = GET ]; then
			template="GET <key uniform $keys>"
		fi
		printf '%s\n' "$work/respbench" -q -p "$port" -c "$connections" -P "$pipeline" -n "$requests" --threads 1 "$template"
		;;
	redis-benchmark | valkey-benchmark)
		printf '%s\n' "$tool" -q -p "$port" -c "$connections" -P "$pipeline" -n "$requests" -r "$keys" -d 64 -t "${operation,,}"
		;;
	memtier_benchmark)
		local ratio=1:0
		if [ "$operation" = GET ]; then
			ratio=0:1
		fi
		printf '%s\n' "$tool" --hide-histogram -s 127.0.0.1 -p "$port" -t 1 -c "$connections" --pipeline="$pipeline" \
			-n "$((requests / connections))" --ratio="$ratio" --random-data --data-size=64 --key-maximum="$keys"
		;;
	resp-benchmark)
		local template="SET {key uniform $keys} {value 64}"
		if [ "$operation" = GET ]; then
			template="GET {key uniform $keys}"
		fi
		printf '%s\n' "$tool" -h 127.0.0.1 -p "$port" -c "$connections" -P "$pipeline" -n "$requests" "$template"
		;;
	esac
}

# measure TOOL OPERATION PIPELINE REQUESTS prints: wall seconds, CPU seconds.
measure() {
	local line
	mapfile -t line < <(command_of "$@")
	local TIMEFORMAT='%R %U %S'
	{ time "${on_client[@]}" "${line[@]}" >"$work/out" 2>&1; } 2>"$work/time"
	awk '{ printf "%s %.3f\n", $1, $2 + $3 }' "$work/time"
}

tools=(redis-benchmark respbench)
for peer in valkey-benchmark memtier_benchmark resp-benchmark; do
	if command -v "$peer" >/dev/null; then
		tools+=("$peer")
	fi
done

say "$(date -u +%F), $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), ${#cpu[@]} CPUs, $(go version | cut -d' ' -f3), $(redis-benchmark --version)"
for pipeline in 1 16; do
	for operation in SET GET; do
		# As many requests as redis-benchmark sends in about the wanted time.
		probe=$((pipeline * 50000))
		read -r wall _ < <(measure redis-benchmark "$operation" "$pipeline" "$probe")
		requests=$(awk -v p="$probe" -v w="$wall" -v s="$seconds_each" 'BEGIN { printf "%d", int(p / w * s / 1000 + 1) * 1000 }')
		for round in $(seq "$rounds"); do
			for tool in "${tools[@]}"; do
				say "$operation -P $pipeline, round $round of $rounds: $tool"
				echo "$operation $pipeline $tool $round $requests $(measure "$tool" "$operation" "$pipeline" "$requests")" >>"$work/figures"
			done
		done
	done
done

awk '
function median(list, n,    i, j, t) {
	for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j-1]; j--) { t = list[j]; list[j] = list[j-1]; list[j-1] = t }
	return n % 2 ? list[(n+1)/2] : (list[n/2] + list[n/2+1]) / 2
}
{
	what = $1 " -P " $2
	if (!(what in seen)) { seen[what] = 1; whats[++nw] = what }
	if (!($3 in known)) { known[$3] = 1; tools[++nt] = $3 }
	rate[what, $3, $4] = $5 / $6
	cpu[what, $3, $4] = $7 / $5 * 1e6
	if ($4 > rounds) rounds = $4
}
END {
	printf "%-10s  %-18s %12s %9s %12s %9s\n", "", "", "requests/s", "ratio", "CPU us/req", "ratio"
	for (w = 1; w <= nw; w++) for (k = 1; k <= nt; k++) {
		for (r = 1; r <= rounds; r++) {
			a[r] = rate[whats[w], tools[k], r]; b[r] = cpu[whats[w], tools[k], r]
			c[r] = a[r] / rate[whats[w], "redis-benchmark", r]; d[r] = b[r] / cpu[whats[w], "redis-benchmark", r]
		}
		printf "%-10s  %-18s %12d %8.2fx %12.2f %8.2fx\n", whats[w], tools[k], median(a, rounds), median(c, rounds), median(b, rounds), median(d, rounds)
	}
}' "$work/figures"
