#!/usr/bin/env bash
#
# LINDEX: reads random elements of 1000 lists.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

members=$(scaled 10000)
fresh_database
load -n $((1000 * members)) "LPUSH $prefix<key sequence 1000> <value 64>"
measure "LINDEX $prefix<key uniform 1000> <rand $members>"
