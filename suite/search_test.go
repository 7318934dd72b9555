package suite

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
)

const examples = "../docs/examples/"

// abstractDoc is a document as the search suites write it.
type abstractDoc struct {
	ID          int    `xml:"-" json:"id"`
	Title       string `xml:"title" json:"title"`
	URL         string `xml:"url" json:"url"`
	Abstract    string `xml:"abstract" json:"abstract"`
	TitleLen    int    `xml:"-" json:"title_len"`
	URLLen      int    `xml:"-" json:"url_len"`
	AbstractLen int    `xml:"-" json:"abstract_len"`
}

// abstractDocs reads a file of abstracts as encoding/xml does, not as
// package data.
func abstractDocs(t *testing.T, file string) []abstractDoc {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var feed struct {
		Docs []abstractDoc `xml:"doc"`
	}
	if err := xml.Unmarshal(text, &feed); err != nil {
		t.Fatal(err)
	}
	for i := range feed.Docs {
		d := &feed.Docs[i]
		d.ID, d.Title = i+1, strings.TrimPrefix(d.Title, "Wikipedia: ")
		d.TitleLen, d.URLLen, d.AbstractLen = utf8.RuneCountInString(d.Title), utf8.RuneCountInString(d.URL), utf8.RuneCountInString(d.Abstract)
	}
	return feed.Docs
}

// json is the document as encoding/json writes it.
func (d abstractDoc) json(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// openSuiteData opens the same file for all data of a suite, and loads it when
// the suite has been planned.
func openSuiteData(t *testing.T, cfg *Config, file string) {
	t.Helper()
	for _, d := range cfg.Suite.Data {
		source, err := data.Open(file, data.Options{Name: d.Name, Order: d.Order})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { source.Close() })
		cfg.Data = append(cfg.Data, generator.Data{Source: source, File: file})
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, d := range cfg.Data {
		load(t, d)
	}
}

// searchSuite is what a suite has to send.
type searchSuite struct {
	name, file  string
	create      []string
	drop        []string // nil where there is none
	document    func(id, json string) []string
	search      func(query string) []string
	fixed       map[string]string // the queries by test
	random      map[string]string // expressions for them; WORD is a word of a document
	wordsOf     func(d abstractDoc) string
	prefixWords func(d abstractDoc) string
}

func searchSuites() []searchSuite {
	title := func(d abstractDoc) string { return d.Title }
	abstract := func(d abstractDoc) string { return d.Abstract }
	jsonSet := func(id, json string) []string { return []string{"JSON.SET", "doc:" + id, "$", json} }
	ftSearch := func(query string) []string { return []string{"FT.SEARCH", "idx", query} }
	addDoc := func(id, json string) []string { return []string{"TFT.ADDDOC", "idx", json, "WITH_ID", id} }
	tftSearch := func(query string) []string { return []string{"TFT.SEARCH", "idx", query} }
	ftCreate := func(language string) []string {
		return strings.Fields("FT.CREATE idx ON JSON PREFIX 1 doc: " + language +
			" SCHEMA $.title AS title TEXT $.url AS url TAG $.abstract AS abstract TEXT" +
			" $.title_len AS title_len NUMERIC $.url_len AS url_len NUMERIC $.abstract_len AS abstract_len NUMERIC")
	}
	tftCreate := func(analyzer string) []string {
		return []string{"TFT.CREATEINDEX", "idx", `{"mappings":{"properties":{"title":{"type":"text","analyzer":"` + analyzer +
			`"},"url":{"type":"keyword","ignore_above":1024},"abstract":{"type":"text","analyzer":"` + analyzer +
			`"},"title_len":{"type":"long"},"url_len":{"type":"long"},"abstract_len":{"type":"long"}}}}`}
	}
	return []searchSuite{{
		name: "redisearch", file: "enwiki-abstract.xml", create: ftCreate(""), drop: []string{"FT.DROPINDEX", "idx"},
		document: jsonSet, search: ftSearch, wordsOf: title, prefixWords: abstract,
		fixed: map[string]string{
			"ft_term":   "@abstract:hello",
			"ft_match":  "@abstract:(hello|world)",
			"ft_bool":   "@abstract:(war japanese -America (chinese|china)) @abstract_len:[500 +inf]",
			"ft_range":  "@abstract_len:[400 420]",
			"ft_prefix": "@abstract:happiness*",
		},
		random: map[string]string{
			"ft_term_random":   `@abstract:WORD`,
			"ft_match_random":  `@abstract:\(WORD\|WORD\)`,
			"ft_bool_random":   `@abstract:\(\(WORD\|WORD\) -America\) @abstract_len:\[100 \+inf\]`,
			"ft_range_random":  `@abstract_len:\[LOW HIGH\]`,
			"ft_prefix_random": `@abstract:WORD\*`,
		},
	}, {
		name: "redisearch-zh", file: "zhwiki-abstract.xml", create: ftCreate("LANGUAGE chinese"), drop: []string{"FT.DROPINDEX", "idx"},
		document: jsonSet, search: ftSearch, wordsOf: abstract, prefixWords: abstract,
		fixed: map[string]string{
			"ft_zh_term":   "@abstract:你好",
			"ft_zh_match":  "@abstract:(你好|世界)",
			"ft_zh_bool":   "@abstract:(战争 日本 -美国 (中国|中华)) @abstract_len:[100 +inf]",
			"ft_zh_range":  "@abstract_len:[100 120]",
			"ft_zh_prefix": "@abstract:幸福*",
		},
		random: map[string]string{
			"ft_zh_term_random":   `@abstract:WORD`,
			"ft_zh_match_random":  `@abstract:\(WORD\|WORD\)`,
			"ft_zh_bool_random":   `@abstract:\(\(WORD\|WORD\) -美国\) @abstract_len:\[50 \+inf\]`,
			"ft_zh_range_random":  `@abstract_len:\[LOW HIGH\]`,
			"ft_zh_prefix_random": `@abstract:WORD\*`,
		},
	}, {
		name: "tairsearch", file: "enwiki-abstract.xml", create: tftCreate("standard"),
		document: addDoc, search: tftSearch, wordsOf: title, prefixWords: abstract,
		fixed: map[string]string{
			"tft_term":   `{"query":{"term":{"abstract":"hello"}}}`,
			"tft_match":  `{"query":{"match":{"abstract":"hello world"}}}`,
			"tft_bool":   `{"query":{"bool":{"must":[{"term":{"abstract":"war"}},{"term":{"abstract":"japanese"}},{"bool":{"should":[{"term":{"abstract":"chinese"}},{"term":{"abstract":"china"}}]}},{"range":{"abstract_len":{"gte":500}}}],"must_not":[{"term":{"abstract":"america"}}]}}}`,
			"tft_range":  `{"query":{"range":{"abstract_len":{"gte":400,"lte":420}}}}`,
			"tft_prefix": `{"query":{"prefix":{"abstract":"happiness"}}}`,
		},
		random: map[string]string{
			"tft_term_random":   `\{"query":\{"term":\{"abstract":"WORD"\}\}\}`,
			"tft_match_random":  `\{"query":\{"match":\{"abstract":"WORD WORD"\}\}\}`,
			"tft_bool_random":   `\{"query":\{"bool":\{"must":\[\{"bool":\{"should":\[\{"term":\{"abstract":"WORD"\}\},\{"term":\{"abstract":"WORD"\}\}\]\}\},\{"range":\{"abstract_len":\{"gte":100\}\}\}\],"must_not":\[\{"term":\{"abstract":"america"\}\}\]\}\}\}`,
			"tft_range_random":  `\{"query":\{"range":\{"abstract_len":\{"gte":LOW,"lte":HIGH\}\}\}\}`,
			"tft_prefix_random": `\{"query":\{"prefix":\{"abstract":"WORD"\}\}\}`,
		},
	}, {
		name: "tairsearch-zh", file: "zhwiki-abstract.xml", create: tftCreate("jieba"),
		document: addDoc, search: tftSearch, wordsOf: abstract, prefixWords: abstract,
		fixed: map[string]string{
			"tft_zh_term":   `{"query":{"term":{"abstract":"你好"}}}`,
			"tft_zh_match":  `{"query":{"match":{"abstract":"你好世界"}}}`,
			"tft_zh_bool":   `{"query":{"bool":{"must":[{"term":{"abstract":"战争"}},{"term":{"abstract":"日本"}},{"bool":{"should":[{"term":{"abstract":"中国"}},{"term":{"abstract":"中华"}}]}},{"range":{"abstract_len":{"gte":100}}}],"must_not":[{"term":{"abstract":"美国"}}]}}}`,
			"tft_zh_range":  `{"query":{"range":{"abstract_len":{"gte":100,"lte":120}}}}`,
			"tft_zh_prefix": `{"query":{"prefix":{"abstract":"幸福"}}}`,
		},
		random: map[string]string{
			"tft_zh_term_random":   `\{"query":\{"term":\{"abstract":"WORD"\}\}\}`,
			"tft_zh_match_random":  `\{"query":\{"match":\{"abstract":"WORD WORD"\}\}\}`,
			"tft_zh_bool_random":   `\{"query":\{"bool":\{"must":\[\{"bool":\{"should":\[\{"term":\{"abstract":"WORD"\}\},\{"term":\{"abstract":"WORD"\}\}\]\}\},\{"range":\{"abstract_len":\{"gte":50\}\}\}\],"must_not":\[\{"term":\{"abstract":"美国"\}\}\]\}\}\}`,
			"tft_zh_range_random":  `\{"query":\{"range":\{"abstract_len":\{"gte":LOW,"lte":HIGH\}\}\}\}`,
			"tft_zh_prefix_random": `\{"query":\{"prefix":\{"abstract":"WORD"\}\}\}`,
		},
	}}
}

// The search suites send exactly these commands, with documents as encoding/xml
// and encoding/json see them.
func TestSearchSuitesOnTheWire(t *testing.T) {
	t.Parallel()
	for _, want := range searchSuites() {
		docs := abstractDocs(t, examples+want.file)
		var written [][]string
		for _, d := range docs {
			written = append(written, want.document(fmt.Sprint(d.ID), d.json(t)))
		}
		tests := builtin(t, want.name).names()
		if n := len(want.fixed) + len(want.random) + 3; n != len(tests) { // write, overwrite, both
			t.Errorf("%s has %d tests, and %d are checked", want.name, len(tests), n)
		}
		for _, name := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				got := want.sent(t, name)
				if diff := cmp.Diff(want.create, got[0]); diff != "" {
					t.Errorf("create (-want +sent):\n%s", diff)
				}
				got = got[1:]
				if want.drop != nil {
					if diff := cmp.Diff(want.drop, got[len(got)-1]); diff != "" {
						t.Errorf("drop (-want +sent):\n%s", diff)
					}
					got = got[:len(got)-1]
				}
				want.check(t, name, written, got, docs)
			})
		}
	}
}

// What encoding/json makes of quotes, backslashes and Chinese is what it should
// be.
func TestAbstractDocs(t *testing.T) {
	t.Parallel()
	en, zh := abstractDocs(t, examples+"enwiki-abstract.xml"), abstractDocs(t, examples+"zhwiki-abstract.xml")
	if got, want := en[20].json(t), `{"id":21,"title":"Hello","url":"https://example.org/wiki/Hello","abstract":"Hello is what people say who meet, and who answer a telephone. \"Hello, world\" is what the first program of many a book writes.","title_len":5,"url_len":30,"abstract_len":126}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := zh[22].json(t), `{"id":23,"title":"Wikipedia:路径 \\ 分隔符","url":"https://example.org/zh/%E8%B7%AF%E5%BE%84_%5C_%E5%88%86%E9%9A%94%E7%AC%A6","abstract":"路径分隔符把文件夹的名称隔开,有的系统用 /,有的系统用 \\,例如 \"C:\\笔记\"。","title_len":18,"url_len":73,"abstract_len":42}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// sent runs one test of the suite, on one connection, and returns what it
// sends, without what respbench asks on the side.
func (s *searchSuite) sent(t *testing.T, test string) [][]string {
	t.Helper()
	server := newRecorder(t, func(args []string) string {
		if args[0] == "COMMAND" { // it has whatever it is asked for
			return fmt.Sprintf("*%d\r\n", len(args)-2) + strings.Repeat("*1\r\n+x\r\n", len(args)-2)
		}
		return ""
	})
	suite, err := builtin(t, s.name).Select([]string{test}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := 1
	cfg := Config{
		Suite: suite, Targets: []Target{{Dialer: conn.Dialer{Address: server.addr}}}, Flush: FlushForce, Seed: 3,
		Load: Load{Connections: &one},
	}
	if suite.Tests[0].Count == "" { // those with a count end by themselves
		cfg.Load.Duration = 200 * time.Millisecond
	}
	openSuiteData(t, &cfg, examples+s.file)
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if run := r.Tests[0].Cells[0].Runs[0]; run.Problem != "" {
		t.Fatal(run.Problem)
	}
	server.mu.Lock()
	if len(server.faults) > 0 {
		t.Errorf("not RESP arrays of bulk strings: %q", server.faults[0])
	}
	server.mu.Unlock()
	return server.got(func(name string) bool {
		return strings.HasPrefix(name, "FT.") || strings.HasPrefix(name, "TFT.") || strings.HasPrefix(name, "JSON.")
	})
}

// check compares the documents that are written and what is searched.
func (s *searchSuite) check(t *testing.T, test string, written, got [][]string, docs []abstractDoc) {
	t.Helper()
	// Filling uses several connections, so the order is not that of the file.
	inOrder := func(list [][]string) [][]string {
		list = slices.Clone(list)
		slices.SortFunc(list, slices.Compare)
		return list
	}
	n := len(written)
	if len(got) < n {
		t.Fatalf("%d commands for %d documents", len(got), n)
	}
	if diff := cmp.Diff(inOrder(written), inOrder(got[:n])); diff != "" {
		t.Fatalf("documents (-want +sent):\n%s", diff)
	}
	got = got[n:]
	query, fixed := s.fixed[test]
	switch {
	case strings.HasSuffix(test, "_write"):
		written = nil
	case strings.HasSuffix(test, "_overwrite"): // on one connection, in order
	case fixed:
		written = slices.Repeat([][]string{s.search(query)}, len(got))
	case strings.HasSuffix(test, "_both"):
		s.checkBoth(t, got, written)
		return
	default:
		s.checkRandom(t, test, got, docs)
		return
	}
	if diff := cmp.Diff(written, got, cmp.Transformer("empty", func(l [][]string) [][]string { return append([][]string{}, l...) })); diff != "" || fixed && len(got) == 0 {
		t.Errorf("(-want +sent):\n%s", diff)
	}
}

// checkBoth: documents are written again, in order, between searches for the
// same.
func (s *searchSuite) checkBoth(t *testing.T, got, written [][]string) {
	t.Helper()
	hello := s.search(s.fixed[strings.TrimSuffix(s.testPrefix(), "_")+"_term"])
	writes, searches := 0, 0
	for _, args := range got {
		switch {
		case slices.Equal(args, hello):
			searches++
		case slices.Equal(args, written[writes%len(written)]):
			writes++
		default:
			t.Fatalf("%q after %d writes", args, writes)
		}
	}
	if writes == 0 || searches == 0 {
		t.Errorf("%d writes, %d searches", writes, searches)
	}
}

// testPrefix is what the names of the suite's tests begin with.
func (s *searchSuite) testPrefix() string {
	for name := range s.fixed {
		return name[:strings.LastIndex(name, "_")+1]
	}
	return ""
}

// checkRandom: every query looks as it should, asks for words that are in the
// documents and for ten lengths, and is not the same each time.
func (s *searchSuite) checkRandom(t *testing.T, test string, got [][]string, docs []abstractDoc) {
	t.Helper()
	expression := "^" + s.random[test] + "$"
	for from, to := range map[string]string{"WORD": `([\pL\pN]+)`, "LOW": `(\d+)0`, "HIGH": `(\d+)9`} {
		expression = strings.ReplaceAll(expression, from, to)
	}
	looks := regexp.MustCompile(expression)
	wordsOf := s.wordsOf
	if strings.Contains(test, "prefix") {
		wordsOf = s.prefixWords
	}
	different := map[string]bool{}
	for _, args := range got {
		query := args[len(args)-1]
		m := looks.FindStringSubmatch(query)
		if !slices.Equal(args, s.search(query)) || m == nil {
			t.Fatalf("%q, want %s", args, expression)
		}
		if strings.Contains(test, "range") {
			if m[1] != m[2] || m[1] == "" {
				t.Fatalf("%q is not ten lengths", query)
			}
		} else if !found(m[1:], docs, wordsOf) {
			t.Fatalf("%q: of no document", query)
		}
		different[query] = true
	}
	if len(different) < min(5, len(got)) || len(got) == 0 {
		t.Errorf("%d different queries of %d", len(different), len(got))
	}
}

// found tells whether every word is in some document.
func found(words []string, docs []abstractDoc, text func(abstractDoc) string) bool {
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(docs, func(d abstractDoc) bool { return strings.Contains(text(d), word) })
	})
}
