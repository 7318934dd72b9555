package template

import (
	"bytes"

	"github.com/respbench/respbench/internal/resp"
)

// connectionCheck refuses units that leave their connection in a state in which
// replies are no measure of what has been done: where none come, or where the
// server only queues what is asked of it.
type connectionCheck struct {
	words [3][]byte // of the command, as far as they have been read and are literal
	from  int       // where the command begins
	multi [2]int    // where the MULTI stands whose end is to come
	open  bool      // there is one
}

// add looks at argument k of a command, 0 for its name.
func (c *connectionCheck) add(src string, k int, a *argument) *Error {
	if k == 0 {
		c.from = a.from
	}
	if k >= len(c.words) {
		return nil
	}
	text, _ := a.literal()
	c.words[k] = append(c.words[k][:0], text...)
	if why := resp.Unpaired(c.words[:k+1]...); why != "" {
		return mistakeAt(src, c.from, a.to, "respbench counts a reply to each request, so only commands with one reply can be sent",
			"%s %s", bytes.ToUpper(bytes.Join(c.words[:k+1], []byte(" "))), why)
	}
	if k > 0 {
		return nil
	}
	switch name := string(bytes.ToUpper(c.words[0])); name {
	case "MULTI":
		if c.open {
			return mistakeAt(src, a.from, a.to, transactionHint, "there is a MULTI before this one, and no EXEC between them")
		}
		c.open, c.multi = true, [2]int{a.from, a.to}
	case "EXEC", "DISCARD":
		if !c.open {
			return mistakeAt(src, a.from, a.to, transactionHint, "there is no MULTI before the %s", name)
		}
		c.open = false
	case "RESET": // which ends it, too
		c.open = false
	}
	return nil
}

// end looks at what the unit leaves behind.
func (c *connectionCheck) end(src string) *Error {
	if !c.open {
		return nil
	}
	return mistakeAt(src, c.multi[0], c.multi[1], transactionHint,
		"there is no EXEC after the MULTI: all that follows on its connection would be queued, and nothing done")
}

const transactionHint = "a transaction is one unit, of commands with ; between them: MULTI ; INCR n ; EXEC"
