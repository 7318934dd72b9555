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
# The last rows are against a real redis-server: "c 1" is one connection, where
# the time to notice a reply decides; "TLS" is encrypted, where redis-server and
# redis-benchmark can do that.
#
# Linux only. Server and client are pinned to different CPUs where there are two.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${ROUNDS:-5}
seconds_each=${SECONDS_EACH:-3}
keys=10000000
work=$(mktemp -d)
servers=()

finish() {
	for server in "${servers[@]}"; do
		kill "$server" 2>/dev/null || true
	done
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

listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# serve PORT PROGRAM ARG… starts a server and waits until it listens.
serve() {
	local port=$1
	shift
	"${on_server[@]}" "$@" >/dev/null &
	servers+=($!)
	for _ in $(seq 100); do
		if listening "$port"; then
			return
		fi
		sleep 0.05
	done
	say "bench.sh: $1 does not start"
	exit 1
}

null=7400
while listening "$null" || listening $((null + 1)) || listening $((null + 2)); do
	null=$((null + 3))
done
real=$((null + 1))
secure=$((null + 2))
serve "$null" "$work/nullserver" "127.0.0.1:$null"
if command -v redis-server >/dev/null; then
	with_tls=()
	# A build of Redis that encrypts has both programs do so.
	if redis-benchmark --help | grep -q -e --cacert && command -v openssl >/dev/null &&
		openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1 \
			-keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null; then
		with_tls=(--tls-port "$secure" --tls-auth-clients no --tls-cert-file "$work/tls.crt"
			--tls-key-file "$work/tls.key" --tls-ca-cert-file "$work/tls.crt")
	fi
	serve "$real" redis-server --port "$real" --bind 127.0.0.1 --save '' --dir "$work" "${with_tls[@]}"
fi

# command_of TOOL OPERATION PORT CONNECTIONS PIPELINE REQUESTS prints the command
# line, a word a line.
command_of() {
	local tool=$1 operation=$2 port=$3 connections=$4 pipeline=$5 requests=$6
	local tls=()
	if [ "$port" = "$secure" ]; then
		tls=(--tls --cacert "$work/tls.crt")
	fi
	case $tool in
	respbench)
		local template="SET <key uniform $keys> <value 64>"
		if [ "$operation" = GET ]; then
			template="GET <key uniform $keys>"
		fi
		printf '%s\n' "$work/respbench" -q -p "$port" "${tls[@]}" -c "$connections" -P "$pipeline" -n "$requests" --threads 1 "$template"
		;;
	redis-benchmark | valkey-benchmark)
		printf '%s\n' "$tool" -q -p "$port" "${tls[@]}" -c "$connections" -P "$pipeline" -n "$requests" -r "$keys" -d 64 -t "${operation,,}"
		;;
	memtier_benchmark)
		local ratio=1:0
		if [ "$operation" = GET ]; then
			ratio=0:1
		fi
		printf '%s\n' "$tool" --hide-histogram -s 127.0.0.1 -p "$port" "${tls[@]}" -t 1 -c "$connections" --pipeline="$pipeline" \
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

# measure, with the arguments of command_of, prints: wall seconds, CPU seconds.
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
# compare NAME OPERATION PORT CONNECTIONS PIPELINE runs every tool in turn.
compare() {
	local name=$1 operation=$2 port=$3 connections=$4 pipeline=$5
	local probe wall requests round tool
	# As many requests as redis-benchmark sends in about the wanted time.
	probe=$((connections * pipeline * 1000))
	read -r wall _ < <(measure redis-benchmark "$operation" "$port" "$connections" "$pipeline" "$probe")
	requests=$(awk -v p="$probe" -v w="$wall" -v s="$seconds_each" 'BEGIN { printf "%d", int(p / w * s / 1000 + 1) * 1000 }')
	for round in $(seq "$rounds"); do
		for tool in "${tools[@]}"; do
			if [ "$port" = "$secure" ] && [ "$tool" = resp-benchmark ]; then
				continue # it does not encrypt
			fi
			say "$name, round $round of $rounds: $tool"
			echo "$name;$tool;$round;$requests;$(measure "$tool" "$operation" "$port" "$connections" "$pipeline" "$requests")" >>"$work/figures"
		done
	done
}

for pipeline in 1 16; do
	for operation in SET GET; do
		compare "$operation -P $pipeline" "$operation" "$null" 50 "$pipeline"
	done
done
if listening "$real"; then
	compare "SET c 1" SET "$real" 1 1
fi
if listening "$secure"; then
	for pipeline in 1 16; do
		compare "TLS -P $pipeline" SET "$secure" 50 "$pipeline"
	done
fi

awk -F';' '
function median(list, n,    i, j, t) {
	for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j-1]; j--) { t = list[j]; list[j] = list[j-1]; list[j-1] = t }
	return n % 2 ? list[(n+1)/2] : (list[n/2] + list[n/2+1]) / 2
}
{
	split($5, seconds, " ")
	if (!($1 in seen)) { seen[$1] = 1; whats[++nw] = $1 }
	if (!($2 in known)) { known[$2] = 1; tools[++nt] = $2 }
	rate[$1, $2, $3] = $4 / seconds[1]
	cpu[$1, $2, $3] = seconds[2] / $4 * 1e6
	if ($3 > rounds) rounds = $3
}
END {
	printf "%-10s  %-18s %12s %9s %12s %9s\n", "", "", "requests/s", "ratio", "CPU us/req", "ratio"
	for (w = 1; w <= nw; w++) for (k = 1; k <= nt; k++) {
		if (!((whats[w], tools[k], 1) in rate)) continue
		for (r = 1; r <= rounds; r++) {
			a[r] = rate[whats[w], tools[k], r]; b[r] = cpu[whats[w], tools[k], r]
			c[r] = a[r] / rate[whats[w], "redis-benchmark", r]; d[r] = b[r] / cpu[whats[w], "redis-benchmark", r]
		}
		printf "%-10s  %-18s %12d %8.2fx %12.2f %8.2fx\n", whats[w], tools[k], median(a, rounds), median(c, rounds), median(b, rounds), median(d, rounds)
	}
}' "$work/figures"
