package data

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"a", ""},
		{"Hello, world! x", "Hello world"},
		{"in 1947 and 3rd B2B a1", "in and 3rd B2B a1"},
		{"don't e-mail", "don mail"},
		{"naïve Ünder été São cafe\u0301s", "naïve Ünder été São cafe\u0301s"},
		{"Привет мир я", "Привет мир"},
		{"你好", "你好"},
		{"哲學是研究普遍的", "哲學 是研 究普 遍的"},
		{"哲學是", "哲學"},
		{"我", ""},
		{"Go語言2023年x", "Go 語言"},
		{"東京タワーへ行く", "東京 タワ ーへ 行く"},
		{"中a文bc漢字d", "bc 漢字"},
		{"한국어 위키", "한국어 위키"},
		{"हिन्दी भाषा", "हिन्दी भाषा"},
		{"١٢٣ ab٣", "ab٣"},
		{"a\xffbc\x00de_fg", "bc de fg"},
		{strings.Repeat("x", 300), strings.Repeat("x", 300)},
	} {
		var w wordList
		w.split([]byte(tt.text))
		got := strings.Join(wordsOf(w.appendTo(nil)), " ")
		if got != tt.want {
			t.Errorf("%q has words %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzWords: words stand in the text in their order, are of one kind, and are
// two characters or more.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"", "a bc 12 d3", "哲學是x研究", "e\u0301\u0301", "\xff\xfe", "한국어, ١٢٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var w wordList
		w.split([]byte(text))
		rest := text
		from := uint32(0)
		for _, end := range w.ends {
			word := string(w.text[from:end])
			from = end
			at := strings.Index(rest, word)
			n := utf8.RuneCountInString(word)
			if at < 0 || n < 2 || strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0 {
				t.Fatalf("%q: word %q", text, word)
			}
			if han := strings.IndexFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0; han && n != 2 {
				t.Fatalf("%q: word %q", text, word)
			}
			rest = rest[at+len(word):]
		}
		if stored := w.appendTo(nil); len(w.ends) < 128 && !cmp.Equal(strings.Join(wordsOf(stored), ""), string(w.text)) {
			t.Fatalf("%q: stored %q", text, stored)
		}
	})
}

// TestWordUniform: each word is as likely as any other, also with the first and
// the last random number, and with many words.
func TestWordUniform(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 7, 100, 1000, 100_000} {
		var w wordList
		for k := range n {
			w.add([]byte{'a' + byte(k%26), 'a' + byte(k/26%26), 'a' + byte(k/676%26), 'a' + byte(k/17576%26)})
		}
		stored := w.appendTo(nil)
		if got := string(wordOf(stored, 0)); got != "aaaa" {
			t.Errorf("the first of %d words is %q", n, got)
		}
		if got, want := string(wordOf(stored, math.MaxUint64)), string(w.text[4*n-4:]); got != want {
			t.Errorf("the last of %d words is %q, want %q", n, got, want)
		}
		if n > 100 {
			continue
		}
		random := rand.New(rand.NewPCG(1, uint64(n)))
		seen := map[string]int{}
		for range 1000 * n {
			seen[string(wordOf(stored, random.Uint64()))]++
		}
		for word, times := range seen {
			if times < 800 || times > 1200 || len(seen) != n {
				t.Errorf("%q of %d words came %d times in %d", word, n, times, 1000*n)
			}
		}
	}
}
