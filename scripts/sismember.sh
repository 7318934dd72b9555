#!/usr/bin/env bash
#
# SISMEMBER: looks up random members of 1000 sets.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

pairs=$(coprime "$(scaled 10007)")
fresh_database
load "SADD $prefix<key sequence 1000> <key sequence $pairs>"
measure "SISMEMBER $prefix<key uniform 1000> <key uniform $pairs>"
