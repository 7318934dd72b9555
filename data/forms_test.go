package data

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sampleXML = `<?xml version="1.0" encoding="UTF-8"?>
<feed>
<doc>
<title>Wikipedia: Anarchism</title>
<url>https://en.wikipedia.org/wiki/Anarchism</url>
<abstract>Anarchism is a &quot;political&quot; philosophy &amp; movement.</abstract>
<links>
<sublink linktype="nav"><anchor>History</anchor><link>https://en.wikipedia.org/wiki/Anarchism#History</link></sublink>
</links>
</doc>
<doc>
<title>Wikipedia:哲學</title>
<url>https://zh.wikipedia.org/wiki/%E5%93%B2%E5%AD%A6</url>
<abstract><![CDATA[哲學是研究<普遍>的]]>、基本問題</abstract>
</doc>
<doc><title>1984</title><url/></doc>
</feed>
`

// TestForms: every form of every format, by the shape that a row of each has.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, text string
		columns          []Column
		want             [][]string
	}{
		{
			"csv", "a.csv", "\ufeffid,full name,n,note\r\n1,\"Ann, \"\"A\"\" B\",007,\n2,Bo,1.50,\"two\nlines\"",
			[]Column{
				col(Text, "full name"), col(Length, "full name"), col(Words, "full name"), col(JSON),
				col(JSON, "note", "n"), col(Line), col(Text, "note"),
			},
			[][]string{
				{`Ann, "A" B`, "10", "Ann", `{"id":1,"full name":"Ann, \"A\" B","n":"007","note":""}`, `{"note":"","n":"007"}`, `1,"Ann, ""A"" B",007,`, ""},
				{`Bo`, "2", "Bo", `{"id":2,"full name":"Bo","n":1.50,"note":"two\nlines"}`, `{"note":"two\nlines","n":1.50}`, "2,Bo,1.50,\"two\nlines\"", "two\nlines"},
			},
		},
		{
			"numbers of csv", "a.csv", "n\n0\n-1\n1e5\n007\n+5\n1_000\n.5\n5.\n0x1\nNaN\n-\n 1\n12345678901234567890123\n",
			[]Column{col(JSON, "n")},
			[][]string{
				{`{"n":0}`},
				{`{"n":-1}`},
				{`{"n":1e5}`},
				{`{"n":"007"}`},
				{`{"n":"+5"}`},
				{`{"n":"1_000"}`},
				{`{"n":".5"}`},
				{`{"n":"5."}`},
				{`{"n":"0x1"}`},
				{`{"n":"NaN"}`},
				{`{"n":"-"}`},
				{`{"n":" 1"}`},
				{`{"n":12345678901234567890123}`},
			},
		},
		{
			"tsv", "a.tsv", "a\tb\n\"x\ty\"\n\n1\t\r\n",
			[]Column{col(Text, "a"), col(JSON), col(Line)},
			[][]string{
				{`"x`, `{"a":"\"x","b":"y\""}`, "\"x\ty\""},
				{"1", `{"a":1,"b":""}`, "1\t"},
			},
		},
		{
			"json lines", "a.jsonl", `{"s":"a\"\u00e9\ud83d\ude00\ud800","n":1.0,"t":true,"z":null,"o":{"x":[1, 2],"y":"\u0041"}}` + "\r\n\n" +
				` {"n" : -0.5e+3, "s": "" , "new":1} `,
			[]Column{
				col(Text, "s"), col(Length, "s"), col(Text, "n"), col(Text, "t"), col(Text, "z"), col(Text, "o"),
				col(Text, "o.x"), col(Text, "o.y"), col(JSON, "n", "s", "o.y", "z"), col(JSON), col(Line),
			},
			[][]string{
				{
					"a\"é😀\ufffd", "5", "1.0", "true", "", `{"x":[1, 2],"y":"\u0041"}`,
					"[1, 2]", "A", `{"n":1.0,"s":"a\"\u00e9\ud83d\ude00\ud800","o.y":"\u0041","z":null}`,
					`{"s":"a\"\u00e9\ud83d\ude00\ud800","n":1.0,"t":true,"z":null,"o":{"x":[1, 2],"y":"\u0041"}}`,
					`{"s":"a\"\u00e9\ud83d\ude00\ud800","n":1.0,"t":true,"z":null,"o":{"x":[1, 2],"y":"\u0041"}}`,
				},
				{
					"", "0", "-0.5e+3", "", "", "", "", "", `{"n":-0.5e+3,"s":""}`,
					`{"n" : -0.5e+3, "s": "" , "new":1}`, ` {"n" : -0.5e+3, "s": "" , "new":1} `,
				},
			},
		},
		{
			"json array", "a.json", "\ufeff [\n {\"a\":\n 1} , {\"a\": \"\xff\"}\n]\n",
			[]Column{col(Text, "a"), col(JSON), col(Line), col(JSON, "a")},
			[][]string{
				{"1", "{\"a\":\n 1}", "{\"a\":\n 1}", `{"a":1}`},
				{"\xff", "{\"a\": \"\ufffd\"}", "{\"a\": \"\xff\"}", "{\"a\":\"\ufffd\"}"},
			},
		},
		{
			"lines", "a.txt", "one\r\n\n\"3\"\x01\xff\\",
			[]Column{col(Text, "line"), col(JSON), col(Line)},
			[][]string{
				{"one", `{"line":"one"}`, "one"},
				{"", `{"line":""}`, ""},
				{"\"3\"\x01\xff\\", `{"line":"\"3\"\u0001` + "\ufffd" + `\\"}`, "\"3\"\x01\xff\\"},
			},
		},
		{
			"abstracts", "a.xml", sampleXML,
			[]Column{
				col(Text, "id"), col(Text, "title"), col(Text, "abstract"), col(Text, "abstract_len"), col(Length, "abstract"),
				col(JSON), col(JSON, "id", "title"), col(Words, "abstract"),
			},
			[][]string{
				{
					"1", "Anarchism", `Anarchism is a "political" philosophy & movement.`, "49", "49",
					`{"id":1,"title":"Anarchism","url":"https://en.wikipedia.org/wiki/Anarchism","abstract":"Anarchism is a \"political\" philosophy & movement.","title_len":9,"url_len":39,"abstract_len":49}`,
					`{"id":1,"title":"Anarchism"}`, "Anarchism is political philosophy movement",
				},
				{
					"2", "Wikipedia:哲學", "哲學是研究<普遍>的、基本問題", "15", "15",
					`{"id":2,"title":"Wikipedia:哲學","url":"https://zh.wikipedia.org/wiki/%E5%93%B2%E5%AD%A6","abstract":"哲學是研究<普遍>的、基本問題","title_len":12,"url_len":48,"abstract_len":15}`,
					`{"id":2,"title":"Wikipedia:哲學"}`, "哲學 是研 普遍 基本 問題",
				},
				{
					"3", "1984", "", "0", "0",
					`{"id":3,"title":"1984","url":"","abstract":"","title_len":4,"url_len":0,"abstract_len":0}`,
					`{"id":3,"title":"1984"}`, "",
				},
			},
		},
		{
			"base64", "a.csv", "b\naGk=\naGk\n-_8=\n+/8\n\n\"\"\n",
			[]Column{col(Base64, "b")},
			[][]string{{"hi"}, {"hi"}, {"\xfb\xff"}, {"\xfb\xff"}, {""}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := loaded(t, open(t, tt.file, tt.text, Options{}), tt.columns...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLineOfAbstracts: it is the element as it stands.
func TestLineOfAbstracts(t *testing.T) {
	t.Parallel()
	got := loaded(t, open(t, "a.xml", sampleXML, Options{}), col(Line))
	for _, row := range got {
		if !strings.Contains(sampleXML, row[0]) || !strings.HasPrefix(row[0], "<doc>") || !strings.HasSuffix(row[0], "</doc>") {
			t.Errorf("%q", row[0])
		}
	}
}

// TestFields: they stand in the order of the file, those within objects last.
func TestFields(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, text string
		want       []string
	}{
		{"a.csv", "b,a b,\n1,2,3\n", []string{"b", "a b", ""}},
		{"a.csv", "\n\r\nb,\"a\nc\"\n", []string{"b", "a\nc"}},
		{"a.jsonl", `{"b":1,"a":{"y":1,"x":{"z":2}}}` + "\n" + `{"c":1,"\u0061":2}`, []string{"b", "a", "c", "a.y", "a.x", "a.x.z"}},
		{"a.json", `[{"b":1},{"a":1}]`, []string{"b", "a"}},
		{"a.json", `{"b":1}`, []string{"b"}},
		{"a.txt", "x", []string{"line"}},
		{"a.xml", "<feed/>", xmlNames()},
	} {
		if got := open(t, tt.file, tt.text, Options{}).Fields(); !cmp.Equal(tt.want, got) {
			t.Errorf("%s of %q: fields %q, want %q", tt.file, tt.text, got, tt.want)
		}
	}
}

// TestFormatOfText: what a file is that its name says nothing of, or Format
// says otherwise.
func TestFormatOfText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, text, format string
		want               []string
	}{
		{"a", "a,b\n1,2\n", "", []string{"a", "b"}},
		{"a", "a\tb\n1\t2\n", "", []string{"a", "b"}},
		{"a", "Dear all, hello\nbye\n", "", []string{"line"}},
		{"a.dat", "\n {\"x\":1}", "", []string{"x"}},
		{"a", " [{\"x\":1}]", "", []string{"x"}},
		{"a", sampleXML, "", xmlNames()},
		{"a.CSV", "a b\n1\n", "", []string{"a b"}},
		{"a.csv.gz", "a b\n1\n", "", []string{"a b"}},
		{"a.csv", "a,b\n1,2\n", "lines", []string{"line"}},
		{"a.csv", "a\tb\n1,2\n", "tsv", []string{"a", "b"}},
		{"a.txt", `{"x":1}`, "jsonl", []string{"x"}},
		{"a.txt", `[{"x":1}]`, "json", []string{"x"}},
	} {
		if got := open(t, tt.file, tt.text, Options{Format: tt.format}).Fields(); !cmp.Equal(tt.want, got) {
			t.Errorf("%s of %q: fields %q, want %q", tt.file, tt.text, got, tt.want)
		}
	}
}

// TestSizes: the mean and the largest size of columns and words.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := open(t, "a.csv", "a,b\nxx,one three\nxxxx,\n", Options{})
	loaded(t, s, col(Text, "a"), col(Words, "b"))
	if s.MeanSize(0) != 3 || s.MaxSize(0) != 4 || s.MeanSize(1) != 4 || s.MaxSize(1) != 5 {
		t.Errorf("sizes %v %v, of words %v %v", s.MeanSize(0), s.MaxSize(0), s.MeanSize(1), s.MaxSize(1))
	}
	if s.Column(col(Words, "b")) != 1 {
		t.Error("equal columns have two numbers")
	}
}
