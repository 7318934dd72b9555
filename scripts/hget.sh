#!/usr/bin/env bash
#
# HGET: reads random fields of 1000 hashes.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

pairs=$(coprime "$(scaled 10007)")
fresh_database
load "HSET $prefix<key sequence 1000> <key sequence $pairs> <value 64>"
measure "HGET $prefix<key uniform 1000> <key uniform $pairs>"
