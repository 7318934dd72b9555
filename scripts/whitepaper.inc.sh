#!/usr/bin/env bash
#
# What the scripts of the whitepaper's commands have in common; they source it.
# The environment, with what is taken without it:
#
#   HOST=127.0.0.1  PORT=6379   the server; REDISCLI_AUTH is its password
#   DB=0                        the database
#   FLUSH=no                    whether it is emptied, before the test and after:
#                               "no": the keys are the script's own, and stay;
#                               "yes": the keys of suites and of these scripts
#                               are deleted, and a database with others is refused;
#                               "force": emptied whatever it holds, and the keys
#                               are named exactly as in the whitepaper
#   CONNECTIONS=64              while measuring
#   SECONDS_EACH=20             of measuring
#   SCALE=1                     size of the data sets: 0.01 is a hundredth
#   OUTPUT=                     a file for the result: set.json, set.md
#   RESPBENCH=                  the program; else that of PATH, else it is built
set -euo pipefail

: "${HOST:=127.0.0.1}" "${PORT:=6379}" "${DB:=0}" "${FLUSH:=no}"
: "${CONNECTIONS:=64}" "${SECONDS_EACH:=20}" "${SCALE:=1}" "${OUTPUT:=}"

# program prints what to run. What it builds lies beside the source, as that of
# a "go build" by hand.
program() {
	local root
	root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
	if [ -n "${RESPBENCH:-}" ]; then
		printf '%s\n' "$RESPBENCH"
	elif ! command -v respbench; then
		go build -C "$root" -o "$root/respbench" . && printf '%s/respbench\n' "$root"
	fi
}

# die ends the script with one line.
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

case $FLUSH in
no | yes | force) ;;
*) die "FLUSH=$FLUSH is not known; write no, yes or force" ;;
esac

RESPBENCH=$(program)

# What the keys of the script start with, as those of a suite do.
prefix=
if [ "$FLUSH" != force ]; then
	prefix=respbench:$(date +%s)$$:$(basename "$0" .sh).1:
fi

# on_server runs respbench with the server's flags before the given ones.
on_server() { "$RESPBENCH" -h "$HOST" -p "$PORT" --db "$DB" "$@"; }

# scaled prints a number at the scale, at least 1.
scaled() { LC_ALL=C awk -v n="$1" -v s="$SCALE" 'BEGIN { v = int(n * s + 0.5); print v < 1 ? 1 : v }'; }

# coprime prints the first number from the given one on that has no common
# divisor with 1000: so that a sequence over 1000 keys and one over so many
# fields meet in every pair.
coprime() {
	local n=$1
	while ((n % 2 == 0 || n % 5 == 0)); do
		((n += 1))
	done
	printf '%d\n' "$n"
}

# once sends one command.
once() { on_server -q -n 1 -c 1 "$1" >/dev/null; }

# fresh_database makes sure, as far as FLUSH allows, that nothing else is
# measured than what the script says, and that it is put in order at the end.
fresh_database() {
	once PING
	delete_keys
	if [ "$FLUSH" = yes ] && [ "$(on_server -q -n 1 -c 1 -o -.json DBSIZE 2>/dev/null | key_count)" != 0 ]; then
		die "database $DB of $HOST:$PORT holds keys that no suite has made; FLUSH=force deletes them, DB=N takes another"
	fi
	trap leave EXIT
}

# delete_keys empties the database by FLUSH.
delete_keys() {
	case $FLUSH in
	yes) "$RESPBENCH" suite --clean -h "$HOST" -p "$PORT" --db "$DB" >/dev/null ;;
	force) once FLUSHDB ;;
	esac
}

# leave ends the script.
leave() {
	delete_keys
	if [ "$FLUSH" = no ]; then
		printf 'left: keys named %s* (respbench suite --clean deletes them)\n' "$prefix"
	fi
}

# key_count reads a result and prints how many keys the database has.
key_count() { awk '/"keys":/ { found = 1 } found && /"after":/ { print $2 + 0; exit }'; }

# load fills a data set: every index of its sequences once.
load() { on_server --load "$@"; }

# measure measures a command.
measure() { on_server -c "$CONNECTIONS" -s "$SECONDS_EACH" ${OUTPUT:+-o "$OUTPUT"} "$1"; }
