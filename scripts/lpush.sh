#!/usr/bin/env bash
#
# LPUSH: pushes onto 1000 lists.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

fresh_database
measure "LPUSH $prefix<key uniform 1000> <value 64>"
