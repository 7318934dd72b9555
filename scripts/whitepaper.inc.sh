#!/usr/bin/env bash
#
# What the scripts of the whitepaper's commands have in common; they source it.
# The environment, with what is taken without it:
#
#   HOST=127.0.0.1  PORT=6379   the server; REDISCLI_AUTH is its password
#   DB=0                        the database, which must be empty
#   FLUSH=no                    "yes" empties it first, whatever it holds
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

RESPBENCH=$(program)

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

# empty_database makes sure that nothing else is measured than what the script
# says. Without FLUSH=yes it deletes nothing.
empty_database() {
	once PING
	if [ "$FLUSH" = yes ]; then
		once FLUSHDB
	elif [ "$(on_server -q -n 1 -c 1 -o -.json DBSIZE 2>/dev/null | key_count)" != 0 ]; then
		printf '%s: database %s of %s:%s is not empty; FLUSH=yes empties it, DB=N takes another\n' \
			"${0##*/}" "$DB" "$HOST" "$PORT" >&2
		exit 1
	fi
}

# key_count reads a result and prints how many keys the database has.
key_count() { awk '/"keys":/ { found = 1 } found && /"after":/ { print $2 + 0; exit }'; }

# load fills a data set: every index of its sequences once.
load() { on_server --load "$@"; }

# measure measures a command.
measure() { on_server -c "$CONNECTIONS" -s "$SECONDS_EACH" ${OUTPUT:+-o "$OUTPUT"} "$1"; }
