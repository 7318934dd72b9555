package resp

import "strings"

// reply is one reply on the wire and what a Scanner must say about it.
type reply struct {
	name  string
	wire  string
	kind  byte
	empty bool
	err   string // text of the first error
	fails bool   // whether there is an error at all; its text may be empty
}

// replies holds every kind of reply in its usual and its unusual forms.
func replies() []reply {
	long := strings.Repeat("long ", 100)
	return []reply{
		{name: "status", wire: "+OK\r\n", kind: '+'},
		{name: "empty status", wire: "+\r\n", kind: '+'},
		{name: "other status", wire: "+QUEUED\r\n", kind: '+'},
		{name: "long status", wire: "+" + long + "\r\n", kind: '+'},
		{name: "error", wire: "-ERR no\r\n", kind: '-', err: "ERR no", fails: true},
		{name: "empty error", wire: "-\r\n", kind: '-', fails: true},
		{name: "long error", wire: "-" + long + "\r\n", kind: '-', err: long[:256], fails: true},
		{name: "blob error", wire: "!9\r\nERR\r\n\x00 no\r\n", kind: '!', err: "ERR\r\n\x00 no", fails: true},
		{name: "empty blob error", wire: "!0\r\n\r\n", kind: '!', fails: true},
		{name: "long blob error", wire: "!500\r\n" + long + "\r\n", kind: '!', err: long[:256], fails: true},
		{name: "integer", wire: ":0\r\n", kind: ':'},
		{name: "negative integer", wire: ":-42\r\n", kind: ':'},
		{name: "signed zero", wire: ":-0\r\n", kind: ':'},
		{name: "plus", wire: ":+5\r\n", kind: ':'},
		{name: "greatest integer", wire: ":9223372036854775807\r\n", kind: ':'},
		{name: "least integer", wire: ":-9223372036854775808\r\n", kind: ':'},
		{name: "bulk", wire: "$5\r\nhello\r\n", kind: '$'},
		{name: "bulk that looks like a reply", wire: "$8\r\n\r\n-ERR\r\n\r\n", kind: '$'},
		{name: "empty bulk", wire: "$0\r\n\r\n", kind: '$'},
		{name: "bulk with leading zero", wire: "$03\r\nabc\r\n", kind: '$'},
		{name: "null bulk", wire: "$-1\r\n", kind: '$', empty: true},
		{name: "array", wire: "*3\r\n$1\r\na\r\n:1\r\n+x\r\n", kind: '*'},
		{name: "empty array", wire: "*0\r\n", kind: '*', empty: true},
		{name: "null array", wire: "*-1\r\n", kind: '*', empty: true},
		{name: "array of nothing", wire: "*3\r\n$-1\r\n*-1\r\n*0\r\n", kind: '*'},
		{name: "nested array", wire: "*2\r\n*2\r\n*1\r\n*0\r\n:1\r\n*1\r\n_\r\n", kind: '*'},
		{name: "exec", wire: "*4\r\n+OK\r\n-WRONGTYPE a\r\n-ERR b\r\n:1\r\n", kind: '*', err: "WRONGTYPE a", fails: true},
		{name: "deep error", wire: "*1\r\n%1\r\n+k\r\n~1\r\n!3\r\nERR\r\n", kind: '*', err: "ERR", fails: true},
		{name: "null", wire: "_\r\n", kind: '_', empty: true},
		{name: "true", wire: "#t\r\n", kind: '#'},
		{name: "false", wire: "#f\r\n", kind: '#'},
		{name: "double", wire: ",-1.5e+20\r\n", kind: ','},
		{name: "infinite", wire: ",-inf\r\n", kind: ','},
		{name: "not a number", wire: ",nan\r\n", kind: ','},
		{name: "big number", wire: "(-3492890328409238509324850943850943825024385\r\n", kind: '('},
		{name: "verbatim", wire: "=8\r\ntxt:text\r\n", kind: '='},
		{name: "empty verbatim", wire: "=4\r\ntxt:\r\n", kind: '='},
		{name: "map", wire: "%2\r\n+a\r\n:1\r\n$1\r\nb\r\n*1\r\n:2\r\n", kind: '%'},
		{name: "empty map", wire: "%0\r\n", kind: '%', empty: true},
		{name: "set", wire: "~2\r\n:1\r\n:2\r\n", kind: '~'},
		{name: "empty set", wire: "~0\r\n", kind: '~', empty: true},
		{name: "push", wire: ">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n", kind: '>'},
		{name: "attribute", wire: "|1\r\n+ttl\r\n:3600\r\n$1\r\nv\r\n", kind: '$'},
		{name: "empty attribute", wire: "|0\r\n:1\r\n", kind: ':'},
		{name: "two attributes", wire: "|1\r\n+a\r\n%1\r\n+b\r\n:1\r\n|1\r\n+c\r\n_\r\n*0\r\n", kind: '*', empty: true},
		{name: "attribute within", wire: "*2\r\n|1\r\n+a\r\n*2\r\n:1\r\n:2\r\n:3\r\n:4\r\n", kind: '*'},
		{name: "attribute in attribute", wire: "|1\r\n|1\r\n+x\r\n:1\r\n+a\r\n:2\r\n+v\r\n", kind: '+'},
		{name: "error in attribute", wire: "|1\r\n+a\r\n-ERR aside\r\n:1\r\n", kind: ':'},
		{name: "error in inner attribute", wire: "*2\r\n:1\r\n|1\r\n+a\r\n*1\r\n-ERR aside\r\n:1\r\n", kind: '*'},
		{name: "error after attribute", wire: "|1\r\n+a\r\n-ERR aside\r\n-ERR real\r\n", kind: '-', err: "ERR real", fails: true},
		{name: "error after inner attribute", wire: "*2\r\n|1\r\n-ERR a\r\n*1\r\n-ERR b\r\n-ERR real\r\n:1\r\n", kind: '*', err: "ERR real", fails: true},
		{name: "error between attributes", wire: "|1\r\n+a\r\n*2\r\n|1\r\n+b\r\n:1\r\n:2\r\n-ERR aside\r\n:1\r\n", kind: ':'},
		{name: "error after empty attribute", wire: "|0\r\n-ERR real\r\n", kind: '-', err: "ERR real", fails: true},
		{name: "attribute of push", wire: "|1\r\n+a\r\n:1\r\n>1\r\n+p\r\n", kind: '>'},
	}
}

// broken is bytes that are not RESP.
type broken struct {
	wire    string
	at      int    // index of the offending byte
	problem string // how Problem says it, without "malformed reply: "
}

func malformedReplies() []broken {
	return []broken{
		{"x", 0, "type byte 'x' (0x78)"},
		{"\xff", 0, "type byte 0xff"},
		{"\r\n", 0, `type byte '\r' (0x0d)`},
		{"OK\r\n", 0, "type byte 'O' (0x4f)"},
		{"*1\r\n.\r\n", 4, "type byte '.' (0x2e)"},
		{";4\r\n", 0, "type byte ';' (0x3b)"},
		{"+OK\n", 3, `end of line without CR: byte '\n' (0x0a)`},
		{"+OK\rx", 4, "after CR, byte 'x' (0x78)"},
		{"+OK\r\r\n", 4, `after CR, byte '\r' (0x0d)`},
		{"-ERR\n", 4, `end of line without CR: byte '\n' (0x0a)`},
		{":\r\n", 1, `integer byte '\r' (0x0d)`},
		{":-\r\n", 2, `integer byte '\r' (0x0d)`},
		{":--1\r\n", 2, "integer byte '-' (0x2d)"},
		{":1x\r\n", 2, "integer byte 'x' (0x78)"},
		{":1.5\r\n", 2, "integer byte '.' (0x2e)"},
		{": 1\r\n", 1, "integer byte ' ' (0x20)"},
		{":1:\r\n", 2, "integer byte ':' (0x3a)"},
		{"$2xyab\r\n", 2, "length byte 'x' (0x78)"},
		{":1\n", 2, `integer byte '\n' (0x0a)`},
		{":1\rx", 3, "after CR, byte 'x' (0x78)"},
		{":9223372036854775808\r\n", 19, "number beyond 64 bits at byte '8' (0x38)"},
		{":-9223372036854775809\r\n", 20, "number beyond 64 bits at byte '9' (0x39)"},
		{":92233720368547758070\r\n", 20, "number beyond 64 bits at byte '0' (0x30)"},
		{"$\r\n", 1, `length byte '\r' (0x0d)`},
		{"$-2\r\n", 2, "length byte '2' (0x32)"},
		{"$-\r\n", 2, `length byte '\r' (0x0d)`},
		{"$-1x", 3, "instead of CR, byte 'x' (0x78)"},
		{"$-10\r\n", 3, "instead of CR, byte '0' (0x30)"},
		{"$-0\r\n", 2, "length byte '0' (0x30)"},
		{"$+5\r\nhello\r\n", 1, "length byte '+' (0x2b)"},
		{"$?\r\n", 1, "length byte '?' (0x3f)"},
		{"$9223372036854775808\r\n", 19, "number beyond 64 bits at byte '8' (0x38)"},
		{"$2\r\nabc\r\n", 6, "instead of CR LF after the payload, byte 'c' (0x63)"},
		{"$2\r\nab\rx", 7, "instead of CR LF after the payload, byte 'x' (0x78)"},
		{"$0\r\nx", 4, "instead of CR LF after the payload, byte 'x' (0x78)"},
		{"$2\nab\r\n", 2, `length byte '\n' (0x0a)`},
		{"*?\r\n", 1, "length byte '?' (0x3f)"},
		{"*-2\r\n", 2, "length byte '2' (0x32)"},
		{"*+1\r\n", 1, "length byte '+' (0x2b)"},
		{"*9223372036854775807\r\n", 20, `more elements than fit 63 bits before byte '\r' (0x0d)`},
		{"*2\r\n*9223372036854775806\r\n", 24, `more elements than fit 63 bits before byte '\r' (0x0d)`},
		{"%4611686018427387904\r\n", 20, `more elements than fit 63 bits before byte '\r' (0x0d)`},
		{"|4611686018427387904\r\n", 20, `more elements than fit 63 bits before byte '\r' (0x0d)`},
		{"%-1\r\n", 1, "length byte '-' (0x2d)"},
		{"~-1\r\n", 1, "length byte '-' (0x2d)"},
		{">-1\r\n", 1, "length byte '-' (0x2d)"},
		{"|-1\r\n", 1, "length byte '-' (0x2d)"},
		{"!-1\r\n", 1, "length byte '-' (0x2d)"},
		{"=-1\r\n", 1, "length byte '-' (0x2d)"},
		{"=3\r\ntxt\r\n", 2, `verbatim string without a format before byte '\r' (0x0d)`},
		{"_x\r\n", 1, "instead of CR, byte 'x' (0x78)"},
		{"_\n", 1, `instead of CR, byte '\n' (0x0a)`},
		{"#\r\n", 1, `boolean byte '\r' (0x0d)`},
		{"#x\r\n", 1, "boolean byte 'x' (0x78)"},
		{"#tt\r\n", 2, "instead of CR, byte 't' (0x74)"},
		{",\r\n", 1, `double byte '\r' (0x0d)`},
		{",1,5\r\n", 2, "double byte ',' (0x2c)"},
		{"(\r\n", 1, `integer byte '\r' (0x0d)`},
		{"(1x\r\n", 2, "integer byte 'x' (0x78)"},
		{"*1\r\n>0\r\n", 4, "a push within another reply: byte '>' (0x3e)"},
		{"|1\r\n+a\r\n>0\r\n", 8, "a push within another reply: byte '>' (0x3e)"},
	}
}
