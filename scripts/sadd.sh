#!/usr/bin/env bash
#
# SADD: adds members to 1000 sets.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

fresh_database
measure "SADD $prefix<key uniform 1000> <value 64>"
