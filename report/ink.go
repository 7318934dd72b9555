package report

// ink colours text when it is true. Colour only underlines: whatever it says
// is said by the words, too.
type ink bool

func (i ink) bold(text string) string { return i.in("1", text) }
func (i ink) dim(text string) string  { return i.in("2", text) }
func (i ink) red(text string) string  { return i.in("31", text) }

// in wraps text in one attribute of ECMA-48's "select graphic rendition".
func (i ink) in(attribute, text string) string {
	if !i || text == "" {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}
