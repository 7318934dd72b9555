package data

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// wide is a text in UTF-16 or, for 4 bytes, UTF-32.
func wide(text string, bytes int, order binary.AppendByteOrder) string {
	var b []byte
	if bytes == 4 {
		for _, r := range text {
			b = order.AppendUint32(b, uint32(r))
		}
		return string(b)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// TestWide: a text in UTF-16 or UTF-32 is said to be that, in every format and
// language, with a mark or without, also where it is compressed.
func TestWide(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"a.csv":    "id,name\n1,Tide\n",
		"b.csv":    "id,标题\r\n1,日晷是一种计时器\r\n2,利用太阳的位置\r\n",
		"c.csv":    "编号,标题\n" + strings.Repeat("一,日晷利用太阳的影子来显示时间是古代的计时器具𠀀\n", 200),
		"c2.csv":   "ид,название\n" + strings.Repeat("1,Солнечные часы показывают время\n", 100),
		"d.jsonl":  `{"id": 1}`,
		"e":        "a\tb\n1\t2\n",
		"f.txt":    "SET k v\n",
		"g.xml":    "<feed>\n<doc><title>Wikipedia: ĀĀ</title></doc></feed>",
		"h.csv.gz": "id,name\n1,Tide\n",
	}
	for name, text := range texts {
		for _, e := range []struct {
			bytes int
			order binary.AppendByteOrder
			name  string // without a mark
		}{
			{2, binary.LittleEndian, "utf-16le"}, {2, binary.BigEndian, "utf-16be"},
			{4, binary.LittleEndian, "utf-32le"}, {4, binary.BigEndian, "utf-32be"},
		} {
			for mark, want := range map[string]string{"": e.name, "\ufeff": e.name[:len("utf-16")]} {
				packed := wide(mark+text, e.bytes, e.order)
				if strings.HasSuffix(name, ".gz") {
					packed = gzipped(t, packed)
				}
				_, err := Open(write(t, name, packed), Options{})
				wrong, ok := err.(*Error)
				if !ok || wrong.Problem != "is "+strings.ToUpper(want) || wrong.Hint != "only UTF-8 is read: iconv -f "+want+" -t utf-8" {
					t.Errorf("%s in %s, mark %q: %v", name, e.name, mark, err)
				}
			}
		}
	}
}

// TestNotWide: a text that has some NULs, or begins oddly, is not.
func TestNotWide(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "a", "\x00", "a\x00", "id,name\n1,\x00\n2,T\x00ide\n", "id\n1\x002\x003\n" + strings.Repeat("1,Tide\n", 100),
		strings.Repeat("abc\x00abcd\x00abcdef\x00ab\x00", 50), "日晷", "\xef\xbb\xbfid",
	} {
		if got := WideEncoding([]byte(text)); got != "" {
			t.Errorf("%.40q is taken for %s", text, got)
		}
	}
}
