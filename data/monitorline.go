package data

import (
	"bytes"
	"regexp"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/respbench/respbench/internal/resp"
)

// monitorLine is one line of what MONITOR tells:
//
//	1339518083.107412 [0 127.0.0.1:60866] "set" "key" "\x00\n\"quoted\""
//
// All its slices are valid until the next call of parse.
type monitorLine struct {
	time   int64 // microseconds since 1970
	db     int
	client []byte // address:port, unix:path, or lua
	text   []byte // the arguments, one behind the other, unquoted
	ends   []int  // where each of them ends
}

// IsMonitorLine tells whether a line begins as those of MONITOR do, up to the
// first argument.
func IsMonitorLine(line []byte) bool {
	var l monitorLine
	line = bytes.TrimPrefix(line, []byte("+"))
	if _, ok := l.stamp(line, 0); !ok { // nearly all that are none
		return false
	}
	_, err := l.head(line, 0)
	return err == nil
}

// parse reads a line without its end; at is where it stands, for faults.
func (l *monitorLine) parse(line []byte, at int) error {
	i, err := l.head(line, at)
	if err != nil {
		return err
	}
	return l.arguments(line, i, at)
}

// head reads what comes before the arguments, and returns where they begin.
func (l *monitorLine) head(line []byte, at int) (int, error) {
	i := 0
	if len(line) > 0 && line[0] == '+' { // taken from the wire as it came
		i++
	}
	i, ok := l.stamp(line, i)
	if !ok {
		return 0, faultf(at+i, "found %s where a time has to be, as in 1339518083.107412", found(line, i))
	}
	if !bytes.HasPrefix(line[i:], []byte(" [")) {
		return 0, faultf(at+i, "found %s after the time, where \" [\" has to follow", found(line, i))
	}
	i += len(" [")
	digits := i
	for i < len(line) && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	db, err := strconv.ParseUint(string(line[digits:i]), 10, 31)
	if err != nil || i == len(line) || line[i] != ' ' {
		return 0, faultf(at+digits, "found %s where the number of a database has to be, and a blank after it", found(line, digits))
	}
	l.db = int(db)
	i++
	end := bytes.Index(line[i:], []byte(`] "`))
	if end < 0 {
		return 0, faultf(at+i, "no %q after the client's address: the command is missing", `] "`)
	}
	l.client = line[i : i+end]
	return i + end + len(`] `), nil
}

// stamp reads seconds and six digits behind a dot.
func (l *monitorLine) stamp(line []byte, i int) (end int, ok bool) {
	start := i
	l.time = 0
	for ; i < len(line) && line[i] >= '0' && line[i] <= '9' && i-start < 12; i++ {
		l.time = l.time*10 + int64(line[i]-'0')
	}
	if i == start || i == len(line) || line[i] != '.' {
		return i, false
	}
	i++
	for range 6 {
		if i == len(line) || line[i] < '0' || line[i] > '9' {
			return i, false
		}
		l.time = l.time*10 + int64(line[i]-'0')
		i++
	}
	return i, true
}

// arguments reads quoted arguments with a blank between each two.
func (l *monitorLine) arguments(line []byte, i, at int) error {
	l.text, l.ends = l.text[:0], l.ends[:0]
	for {
		if i == len(line) || line[i] != '"' {
			return faultf(at+i, "found %s where a quote has to begin an argument", found(line, i))
		}
		end, err := l.argument(line, i, at)
		if err != nil {
			return err
		}
		l.ends = append(l.ends, len(l.text))
		if i = end; i == len(line) {
			return nil
		}
		if line[i] != ' ' {
			return faultf(at+i, "found %s after an argument, where a blank or the end of the line has to follow", found(line, i))
		}
		i++
	}
}

// argument undoes the quoting of the argument whose quote is line[open], and
// returns what is behind it.
func (l *monitorLine) argument(line []byte, open, at int) (end int, err error) {
	for i := open + 1; ; {
		n := indexSpecial(line[i:])
		l.text = append(l.text, line[i:i+n]...)
		switch i += n; {
		case i == len(line):
			return i, faultf(at+open, "a quote that nothing closes").
				withHint("the log may have been cut off here; --bad-rows skip leaves the line out")
		case line[i] == '"':
			return i + 1, nil
		case line[i] != '\\':
			l.text = append(l.text, line[i])
			i++
			continue
		}
		c, size := resp.Unescape(line[i+1:])
		if size == 0 {
			return i, faultf(at+i, "a backslash, and %s after it: MONITOR writes \\\\ \\\" \\n \\r \\t \\a \\b and \\xHH", found(line, i+1))
		}
		l.text = append(l.text, c)
		i += 1 + size
	}
}

// name is the first argument.
func (l *monitorLine) name() []byte { return l.text[:l.ends[0]] }

// unpaired tells whether no reply to it could be counted.
func (l *monitorLine) unpaired() bool {
	var words [3][]byte
	from, n := 0, min(len(words), len(l.ends))
	for k := range n {
		words[k], from = l.text[from:l.ends[k]], l.ends[k]
	}
	return resp.Unpaired(words[:n]...) != ""
}

// appendCommand adds the arguments as a command for the wire.
func (l *monitorLine) appendCommand(dst []byte) []byte {
	dst = resp.AppendArrayHeader(dst, len(l.ends))
	from := 0
	for _, to := range l.ends {
		dst = resp.AppendBulk(dst, l.text[from:to])
		from = to
	}
	return dst
}

// isNoise tells whether a line is none of MONITOR's, but something that stands
// in logs beside them: the reply to MONITOR, what redis-cli says when the
// connection ends, or its prompt.
func isNoise(line []byte) bool {
	switch text := string(bytes.TrimSpace(line)); text {
	case "", "OK", "+OK":
		return true
	}
	for _, start := range [...]string{"(error) ", "Error: "} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	prompt, _, found := bytes.Cut(line, []byte("> "))
	return found && !bytes.ContainsAny(prompt, ` "`)
}

// foreignHint says what a file may be instead of a log, by the first line that
// is none of MONITOR's.
func foreignHint(line []byte) string {
	text := bytes.TrimLeft(line, " \t")
	switch first, _ := utf8.DecodeRune(text); {
	case IsMonitorLine(line): // and wrong behind its begin
		return ""
	case first == '#' || first == '"' || first == '\'' || unicode.IsLetter(first), weightLine.Match(text):
		return "this looks like a file of commands, which --commands sends; a MONITOR log is what redis-cli monitor prints"
	case first == '*':
		return "this looks like the wire protocol, as in an AOF, which is not read; a MONITOR log is what redis-cli monitor prints"
	}
	return "a MONITOR log is what redis-cli monitor prints"
}

// weightLine begins as a line of a command file with a weight.
var weightLine = regexp.MustCompile(`^[0-9]+x[ \t]`)
