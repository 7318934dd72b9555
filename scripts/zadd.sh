#!/usr/bin/env bash
#
# ZADD: adds random members to 1000 sorted sets.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

members=$(scaled 10000)
fresh_database
measure "ZADD $prefix<key uniform 1000> <rand 70000> <key uniform $members>"
