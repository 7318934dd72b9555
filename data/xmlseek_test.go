package data

import (
	"strings"
	"testing"
	"testing/iotest"
)

// titles reads abstracts with bad rows left out, a byte at once or as much as
// there is, and returns the titles, how many rows were bad, and the flaw.
func titles(t *testing.T, text string, slowly bool) (list []string, bad int64, flaw string) {
	t.Helper()
	s := open(t, "a.xml", text, Options{SkipBad: true})
	if slowly {
		// The window holds a few bytes more than it has to, so that every place
		// of the text is once the last that is there.
		s.window = newWindow(iotest.OneByteReader(strings.NewReader(text)))
		s.window.buf = make([]byte, 1)
	}
	for _, row := range loaded(t, s, col(Text, "title")) {
		list = append(list, row[0])
	}
	bad, _ = s.Bad()
	if err := s.Flaw(); err != nil {
		flaw = err.Error()[strings.LastIndex(err.Error(), ": ")+2:]
	}
	return list, bad, flaw
}

// TestXMLSeek: after a bad row the next one is found, whatever its tag looks
// like, and what only looks like one is not.
func TestXMLSeek(t *testing.T) {
	t.Parallel()
	const wrong, end = "<doc><title>&bad;</title></doc>\n", "the file ends before </feed>"
	for _, tt := range []struct {
		text, titles string
		bad          int64
		flaw         string
	}{
		{wrong + `<doc n="1"><title>a</title></doc><doc ><title>b</title></doc><doc><title>last</title></doc></feed>`, "a b last", 1, ""},
		{wrong + "<doc\n><title>a</title></doc><doc/><docs/><doc><title>b</title></doc></feed>", "a  b", 2, ""},
		{"<doc><title>&bad;</title><abstract><![CDATA[<doc><title>phantom</title></doc>]]></abstract></doc><doc><title>a</title></doc></feed>", "a", 1, ""},
		{"<doc><title>&bad;</title><!-- <doc><title>phantom</title></doc> --></doc><doc><title>a</title></doc></feed>", "a", 1, ""},
		{"<doc><title>&bad;</title><?php <doc><title>phantom</title></doc> ?></doc><doc><title>a</title></doc></feed>", "a", 1, ""},
		{"<doc><title>a</title></doc>" + wrong + "</feed>", "a", 1, ""},
		{"<doc><title>a</title></doc>" + wrong + "</feed>\n<!-- end -->\n", "a", 1, ""},
		{"<doc><title>a</title></doc>" + wrong, "a", 1, end},
		{"<doc><title>a</title></doc>" + wrong + "<do", "a", 2, ""},
		{"<doc><title>a</title></doc>" + wrong + "</fee", "a", 1, end},
		{"<doc><title>a</title></doc>" + wrong + "<!-- ", "a", 2, ""},
		{"<doc><title>a</title></doc>" + wrong + "</feed><doc><title>b</title></doc></feed>", "a b", 1, ""},
		{"<doc><title>a</title></doc>\n", "a", 0, end},
		{"<doc><title>a</title></doc></doc><doc><title>b</title></doc></feed>", "a b", 0, "found </doc> where <doc> or </feed> has to stand"},
		{"<doc><title>a</title></doc><![CDATA[<doc/>]]><doc><title>b</title></doc></feed>", "a b", 0, "found a CDATA section between elements"},
		{"<doc><title>a</title></doc> x <doc><title>b</title></doc></feed>", "a b", 0, `found "x" between elements`},
	} {
		everySplit(t, func() format { return &abstracts{} }, []byte("<feed>\n"+tt.text))
		for _, slowly := range []bool{false, true} {
			list, bad, flaw := titles(t, "<feed>\n"+tt.text, slowly)
			if got := strings.Join(list, " "); got != tt.titles || bad != tt.bad || flaw != tt.flaw {
				t.Errorf("%q: %q, %d bad, %q; want %q, %d, %q", tt.text, got, bad, flaw, tt.titles, tt.bad, tt.flaw)
			}
		}
	}
}
