#!/usr/bin/env bash
#
# ZSCORE: reads the score of random members of 1000 sorted sets.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

pairs=$(coprime "$(scaled 10007)")
fresh_database
load "ZADD $prefix<key sequence 1000> <rand 70000> <key sequence $pairs>"
measure "ZSCORE $prefix<key uniform 1000> <key uniform $pairs>"
