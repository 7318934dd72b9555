#!/usr/bin/env bash
#
# SET: writes to random keys.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

keys=$(scaled 10000000)
fresh_database
measure "SET $prefix<key uniform $keys> <value 64>"
