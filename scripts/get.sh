#!/usr/bin/env bash
#
# GET: reads random keys, all of which exist.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

keys=$(scaled 10000000)
fresh_database
load "SET $prefix<key sequence $keys> <value 64>"
measure "GET $prefix<key uniform $keys>"
