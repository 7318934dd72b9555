#!/usr/bin/env bash
#
# EVALSHA: runs a script that makes one SET.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

keys=$(scaled 10000000)
fresh_database
once "SCRIPT LOAD \"return redis.call('SET', KEYS[1], ARGV[1])\""
measure "EVALSHA d8f2fad9f8e86a53d2a6ebd960b33c4972cacc37 1 $prefix<key uniform $keys> <value 64>"
