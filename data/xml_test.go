package data

import (
	"bytes"
	stdxml "encoding/xml"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func xmlSamples() []string {
	return []string{
		sampleXML, "<feed></feed>", "<feed/>", " <feed> <doc/> </feed> ", "<feed><doc></doc></feed>", "<?xml version='1.0'?><!DOCTYPE feed><!-- <doc> --><feed a='>' b = \"/>\"><doc  x='1'><title y='<'>a</title ></doc></feed>\n<!-- -->",
		"<feed><doc><title>a&amp;b&lt;&gt;&quot;&apos;&#65;&#x42;&#x1F600;</title></doc></feed>",
		"<feed><doc><title>&nbsp;</title></doc></feed>", "<feed><doc><title>a & b</title></doc></feed>", "<feed><doc><title>&#0;</title></doc></feed>", "<feed><doc><title>&#xD800;</title></doc></feed>", "<feed><doc><title>&#x110000;</title></doc></feed>", "<feed><doc><title>&#;</title></doc></feed>",
		"<feed><doc><title><![CDATA[<a>&amp;]]></title><url>x<!-- & -->y</url><abstract>a<b>c</b>d<e/></abstract></doc></feed>",
		"<feed><doc><abstract>a\r\nb\rc<![CDATA[\r\n\r]]></abstract></doc></feed>",
		"<feed><doc><abstract/><title></title></doc></feed>",
		"<feed><doc><links><title>no</title><doc2/></links><title>yes</title></doc></feed>",
		"<feed><doc><title>é漢字😀</title></doc></feed>", "<feed><doc><title>Wikipedia: x</title></doc><doc><title>Wikipedia: </title></doc><doc><title>Wikipedia:x</title></doc></feed>",
		"<feed><doc><title>a</titel></doc></feed>", "<feed><doc><title>a</doc></feed>", "<feed><doc><title>a</title></feed>", "<feed><doc><title>a", "<feed><doc>", "<feed>", "<fe", "<feed><doc><title", "<feed><doc><title a='", "", "x", "<page/>",
		"<feed><doc a></doc></feed>", "<feed><doc a=1></doc></feed>", "<feed>< doc></doc></feed>", "<feed><doc><1></1></doc></feed>", "<feed><doc></ doc></feed>", "<feed><doc><!x></doc></feed>",
		"<feed><doc><?pi x?><title>a<?pi?>b</title></doc></feed>",
	}
}

// feed is what encoding/xml makes of a dump.
type feed struct {
	Docs []struct {
		Title    []string `xml:"title"`
		URL      []string `xml:"url"`
		Abstract []string `xml:"abstract"`
	} `xml:"doc"`
}

// agreeXML checks a dump against encoding/xml, unless that refuses it: it also
// looks at things that do not matter here, as names of attributes.
func agreeXML(t *testing.T, text []byte) {
	t.Helper()
	got := scanAll(t, &abstracts{}, text)
	var want feed
	wrong := stdxml.Unmarshal(text, &want)
	switch {
	case strings.HasPrefix(string(text), "\ufeff"), strings.Contains(string(text), ":"), !utf8.Valid(text):
		return // a name space, or what Open looks at
	case strings.Contains(string(text), "<!"), strings.Contains(string(text), "<?"):
		if len(got.faults) > 0 {
			return // where markup of that kind may stand is not looked at
		}
	}
	if wrong != nil {
		return
	}
	var rows [][]string
	for _, d := range want.Docs {
		if len(d.Title) > 1 || len(d.URL) > 1 || len(d.Abstract) > 1 {
			return
		}
		title, url, abstract := strings.TrimPrefix(strings.Join(d.Title, ""), titlePrefix), strings.Join(d.URL, ""), strings.Join(d.Abstract, "")
		rows = append(rows, []string{
			strconv.Itoa(len(rows) + 1), title, url, abstract,
			strconv.Itoa(utf8.RuneCountInString(title)), strconv.Itoa(utf8.RuneCountInString(url)), strconv.Itoa(utf8.RuneCountInString(abstract)),
		})
	}
	if len(got.faults) > 0 && onlyDocs(text) {
		t.Fatalf("%q: faults %q, encoding/xml has none", text, got.faults)
	}
	if len(got.faults) == 0 && !cmp.Equal(got.rows, rows) {
		t.Fatalf("%q: %s", text, cmp.Diff(rows, got.rows))
	}
}

// endsWell reports whether nothing of weight follows the first element: Unmarshal
// does not look there.
func endsWell(text []byte) bool {
	d := stdxml.NewDecoder(bytes.NewReader(text))
	depth, closed := 0, false
	for {
		token, err := d.Token()
		if err != nil {
			return err == io.EOF
		}
		switch t := token.(type) {
		case stdxml.StartElement:
			depth++
			if closed {
				return false
			}
		case stdxml.EndElement:
			depth--
			closed = depth == 0
		case stdxml.CharData:
			if depth == 0 && len(bytes.TrimSpace(t)) > 0 {
				return false
			}
		}
	}
}

// onlyDocs reports whether a dump has a feed of docs and nothing else, in which
// case a fault of ours has to be one of XML too.
func onlyDocs(text []byte) bool {
	var any struct {
		XMLName stdxml.Name
		Other   []struct{} `xml:",any"`
		Text    string     `xml:",chardata"`
		Docs    []struct {
			Docs []struct{} `xml:"doc"`
			Any  []struct {
				Inner string `xml:",innerxml"`
			} `xml:",any"`
		} `xml:"doc"`
	}
	if stdxml.Unmarshal(text, &any) != nil || any.XMLName.Local != "feed" || len(any.Other) > 0 || strings.TrimSpace(any.Text) != "" {
		return false
	}
	if strings.Count(string(text), "<feed") != 1 || !endsWell(text) {
		return false
	}
	for _, d := range any.Docs {
		if len(d.Docs) > 0 {
			return false
		}
		for _, inner := range d.Any {
			if strings.Contains(inner.Inner, "<doc") {
				return false
			}
		}
	}
	return true
}

func TestXMLAgrees(t *testing.T) {
	t.Parallel()
	for _, text := range xmlSamples() {
		agreeXML(t, []byte(strings.ReplaceAll(text, ":", ";")))
		everySplit(t, func() format { return &abstracts{} }, []byte(text))
	}
	agreeXML(t, []byte(strings.ReplaceAll(sampleXML, "&", "and")))
}

func FuzzXML(f *testing.F) {
	for _, text := range xmlSamples() {
		f.Add([]byte(strings.ReplaceAll(text, ":", ";")))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1000 {
			return
		}
		agreeXML(t, text)
		if len(text) < 300 {
			everySplit(t, func() format { return &abstracts{} }, text)
		}
	})
}
