#!/usr/bin/env bash
#
# HSET: writes random fields of 1000 hashes.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

members=$(scaled 10000)
fresh_database
measure "HSET $prefix<key uniform 1000> <key uniform $members> <value 64>"
