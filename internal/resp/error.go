package resp

// Error is an error reply: the text that the server sent, without type byte
// and line end.
type Error string

func (e Error) Error() string { return string(e) }

// Code returns the first word of the text (ERR, NOAUTH, MOVED, …), by which
// servers tell their errors apart.
func (e Error) Code() string { return ErrorCode(string(e)) }

// ErrorCode is Error.Code of a text, as a part of it. Blanks, tabs and line ends
// are between words, and before the first one are nothing; a text without any word
// has an empty code.
func ErrorCode[T string | []byte](text T) T {
	from := 0
	for from < len(text) && isBlank(text[from]) {
		from++
	}
	end := from
	for end < len(text) && !isBlank(text[end]) {
		end++
	}
	return text[from:end]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
