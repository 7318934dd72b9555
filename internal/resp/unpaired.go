package resp

import "strings"

// Unpaired says why requests and replies do not pair up any more behind a
// command of these arguments, its name first, in words that follow the name; it
// is "" for any other command. More than three arguments are not needed.
func Unpaired(args ...[]byte) (why string) {
	if len(args) == 0 || len(args[0]) > longestName {
		return ""
	}
	switch is := func(k int, word string) bool { return k < len(args) && strings.EqualFold(string(args[k]), word) }; {
	case is(0, "SUBSCRIBE"), is(0, "PSUBSCRIBE"), is(0, "SSUBSCRIBE"),
		is(0, "UNSUBSCRIBE"), is(0, "PUNSUBSCRIBE"), is(0, "SUNSUBSCRIBE"):
		return "is answered by messages, a number that depends on its channels"
	case is(0, "MONITOR"), is(0, "SYNC"), is(0, "PSYNC"):
		return "makes a stream of the connection, in which nothing answers a request"
	case is(0, "CLIENT") && is(1, "REPLY") && (is(2, "OFF") || is(2, "SKIP")):
		return "keeps the server from replying"
	case is(0, "REPLCONF") && is(1, "ACK"):
		return "has no reply"
	}
	return ""
}

// longestName is the most bytes that the name of such a command has.
const longestName = len("PUNSUBSCRIBE")
