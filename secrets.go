package main

import "strings"

// hideSecrets returns a copy of args and overwrites the passwords in args
// themselves. The arguments of the process are the memory that the system
// shows in its list of processes, where that can be written to.
func hideSecrets(args []string) []string {
	kept := make([]string, len(args))
	for i, arg := range args {
		kept[i] = strings.Clone(arg)
	}
	for i, arg := range kept {
		if from := secretFrom(arg); from >= 0 {
			overwrite(args[i][from:])
		}
		if from, to := secretInURI(arg); from < to {
			overwrite(args[i][from:to])
		}
		if i > 0 && secretFollows(kept[i-1]) {
			overwrite(args[i])
		}
	}
	return kept
}

// shortFlags are the flags of one letter that take no value and may therefore
// stand before a in the same word, as in -3qa.
const shortFlags = "3q"

// secretFrom is where the password begins in an argument that holds flag and
// password in one: -aX, --pass=X. It is -1 in others.
func secretFrom(arg string) int {
	if strings.HasPrefix(arg, "--pass=") {
		return len("--pass=")
	}
	if n := letterA(arg); n > 0 && n < len(arg) {
		return n
	}
	return -1
}

// secretFollows tells whether the next argument is a password.
func secretFollows(arg string) bool {
	return arg == "--pass" || arg != "" && letterA(arg) == len(arg)
}

// letterA is the end of the flag -a, alone or behind others; 0 without one.
func letterA(arg string) int {
	if !strings.HasPrefix(arg, "-") {
		return 0
	}
	rest := strings.TrimLeft(arg[1:], shortFlags)
	if !strings.HasPrefix(rest, "a") {
		return 0
	}
	return len(arg) - len(rest) + 1
}

// secretInURI is where the password lies in an argument that holds a URI, of
// whichever flag: between the first colon and the last @ behind the scheme.
func secretInURI(arg string) (from, to int) {
	scheme := strings.Index(arg, "://")
	if scheme < 0 {
		return 0, 0
	}
	start := scheme + len("://")
	to = strings.LastIndexByte(arg, '@')
	colon := strings.IndexByte(arg[start:], ':')
	if colon < 0 || start+colon > to {
		return 0, 0
	}
	return start + colon + 1, to
}
