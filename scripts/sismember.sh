#!/usr/bin/env bash
#
# SISMEMBER: looks up random members of 1000 sets.
# The environment says where and how long; scripts/whitepaper.inc.sh lists it.
set -euo pipefail
# shellcheck source=whitepaper.inc.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/whitepaper.inc.sh"

pairs=$(coprime "$(scaled 10007)")
empty_database
load "SADD <key sequence 1000> <key sequence $pairs>"
measure "SISMEMBER <key uniform 1000> <key uniform $pairs>"
