#!/usr/bin/env bash
#
# Measures all commands of the whitepaper, one after another, and writes the
# table. It is what the scripts of the single commands do, in one go:
#
#   scripts/whitepaper.sh
#   SCALE=0.01 SECONDS_EACH=2 FLUSH=yes scripts/whitepaper.sh
#   TABLE=mine.md scripts/whitepaper.sh --repeat 3     arguments go to "respbench suite"
#
# scripts/whitepaper.inc.sh lists the environment.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

flush=()
case $FLUSH in
yes) flush=(--flush) ;;
force) flush=(--flush=force) ;;
esac

"$RESPBENCH" suite -h "$HOST" -p "$PORT" --db "$DB" --scale "$SCALE" -s "$SECONDS_EACH" -c "$CONNECTIONS" \
	"${flush[@]}" -o "${TABLE:-whitepaper.md}" ${OUTPUT:+-o "$OUTPUT"} "$@" whitepaper
