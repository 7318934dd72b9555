package resp

// These functions look into commands that this program has made itself: arrays
// of bulk strings, one after another. They never look further than they must,
// and say nothing of what lies behind.

// Argument returns argument k of the command at the start of b, 0 for its name,
// as a part of b. It is nil if the command has fewer arguments, or if what is
// there up to that argument is no command; an empty argument is not nil.
func Argument(b []byte, k int) []byte {
	n, at := commandHeader(b)
	if k < 0 || k >= n {
		return nil
	}
	for {
		start, end := argumentAt(b, at)
		if end == 0 {
			return nil
		}
		if k == 0 {
			return b[start:end:end]
		}
		k--
		at = end + 2
	}
}

// ArgumentCount returns how many arguments the command at the start of b has,
// its name included; 0 if no command starts there.
func ArgumentCount(b []byte) int {
	n, _ := commandHeader(b)
	return n
}

// Arguments returns all arguments of the command at the start of b, its name
// first, and what is behind it; nil, nil if no whole command is there.
func Arguments(b []byte) (args []string, rest []byte) {
	n, at := commandHeader(b)
	for range n {
		start, end := argumentAt(b, at)
		if end == 0 {
			return nil, nil
		}
		args = append(args, string(b[start:end]))
		at = end + 2
	}
	if n == 0 {
		return nil, nil
	}
	return args, b[at:]
}

// CommandLen returns the length in bytes of the command at the start of b, which
// is where the next one starts; 0 if no whole command is there.
func CommandLen(b []byte) int {
	n, at := commandHeader(b)
	for range n {
		_, end := argumentAt(b, at)
		if end == 0 {
			return 0
		}
		at = end + 2
	}
	return at
}

// Commands returns the bytes of n commands of b, from number at on, counted from
// 0; as many as there are.
func Commands(b []byte, at, n int) []byte {
	for range at {
		b = b[CommandLen(b):]
	}
	end := 0
	for range n {
		end += CommandLen(b[end:])
	}
	return b[:end]
}

// commandHeader reads the header of an array at the start of b: the number of
// its elements and the index behind it; 0, 0 if there is none.
func commandHeader(b []byte) (n, end int) {
	if len(b) == 0 || b[0] != '*' {
		return 0, 0
	}
	n, i := digits(b, 1)
	if i == 1 || !crlfAt(b, i) {
		return 0, 0
	}
	return n, i + 2
}

// argumentAt finds the text of the bulk string at b[at:]; end is 0 if there is
// no whole one.
func argumentAt(b []byte, at int) (start, end int) {
	if at >= len(b) || b[at] != '$' {
		return 0, 0
	}
	n, i := digits(b, at+1)
	start, end = i+2, i+2+n
	if i == at+1 || !crlfAt(b, i) || !crlfAt(b, end) {
		return 0, 0
	}
	return start, end
}
