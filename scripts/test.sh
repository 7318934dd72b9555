#!/usr/bin/env bash
#
# Runs the tests, having installed what they need and the machine lacks:
# redis-server and shellcheck, and for -race on Linux a C compiler. Tests start
# their own servers; a redis-server that is running already is left alone.
#
#   scripts/test.sh                  all tests
#   scripts/test.sh -run Scan -v     arguments are passed on to go test
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

fail() {
	printf 'test.sh: %s\n' "$*" >&2
	exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		fail "needs root, and there is no sudo, for: $*"
	fi
}

# version_number prints go1.26.8 as 1026008, so that versions compare as numbers.
version_number() {
	if [[ $1 =~ ([0-9]+)\.([0-9]+)(\.([0-9]+))? ]]; then
		printf '%d%03d%03d' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]:-0}"
	else
		printf 0
	fi
}

# need_go ends the script unless Go is there and new enough. Within the module
# a Go that may fetch a newer one reports that; one that may not reports an
# error, and outside the module what it is.
need_go() {
	local want got
	want=$(awk '$1 == "go" { print $2 }' go.mod)
	have go || fail "go not found; install Go $want or newer from https://go.dev/dl/"
	got=$(go env GOVERSION 2>/dev/null) || got=$(cd / && go env GOVERSION)
	if [ "$(version_number "$got")" -lt "$(version_number "$want")" ]; then
		fail "$got is too old; install Go $want or newer from https://go.dev/dl/"
	fi
}

with_race() {
	local arg
	for arg in "$@"; do
		case $arg in
		-race | --race | -race=true) return 0 ;;
		esac
	done
	return 1
}

install_debian() {
	as_root apt-get -q update || printf 'test.sh: going on with the package lists at hand\n' >&2
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -q install -y --no-install-recommends "$@"
}

# install_missing installs packages, named as Debian names them.
install_missing() {
	printf 'test.sh: missing: %s\n' "$*" >&2
	if have apt-get; then
		install_debian "$@" >&2
	elif have brew; then
		brew install "${@/redis-server/redis}" >&2
	else
		fail "install these first, by whatever name they have here: $*"
	fi
}

need_go
missing=()
have redis-server || missing+=(redis-server)
have shellcheck || missing+=(shellcheck)
if with_race "$@"; then
	export CGO_ENABLED=1
	if [ "$(uname -s)" = Linux ] && ! have "${CC:-gcc}"; then
		missing+=(gcc libc6-dev)
	fi
fi
if [ "${#missing[@]}" -gt 0 ]; then
	install_missing "${missing[@]}"
fi

exec go test ./... "$@"
