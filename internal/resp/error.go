package resp

import "strings"

// Error is an error reply: the text that the server sent, without type byte
// and line end.
type Error string

func (e Error) Error() string { return string(e) }

// Code returns the first word of the text (ERR, NOAUTH, MOVED, …), by which
// servers tell their errors apart.
func (e Error) Code() string {
	code, _, _ := strings.Cut(string(e), " ")
	return code
}
