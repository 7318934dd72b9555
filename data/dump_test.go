package data

import (
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
)

// dump writes files like real ones, the same for the same seed.
type dump struct {
	random    *rand.Rand
	syllables []string
}

func newDump(seed uint64) *dump {
	const syllables = "ba be bi bo da de di do fa fe ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to"
	return &dump{rand.New(rand.NewPCG(seed, 7)), strings.Fields(syllables)}
}

// word is one of some thousand made-up words, the first ones far more often.
func (d *dump) word() string {
	all := d.syllables
	n := int(float64(len(all)*len(all)) * d.random.Float64() * d.random.Float64())
	return all[n%len(all)] + all[n/len(all)%len(all)] + all[n*7%len(all)][:1]
}

// sentence is some words; one in forty has something that must be escaped in
// XML, JSON or CSV.
func (d *dump) sentence(words int) string {
	var s strings.Builder
	for k := range words {
		if k > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(d.word())
	}
	switch d.random.IntN(40) {
	case 0:
		s.WriteString(` & "so on"`)
	case 1:
		s.WriteString(", é 漢字")
	}
	return s.String()
}

// abstract writes a doc as Wikipedia's dumps have it, about 1000 bytes.
func (d *dump) abstract(w io.Writer) {
	escape := strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;")
	title := d.sentence(2)
	name := strings.ReplaceAll(title, " ", "_")
	var s strings.Builder
	s.WriteString("<doc>\n<title>Wikipedia: " + escape.Replace(title) + "</title>\n<url>https://en.wikipedia.org/wiki/" + escape.Replace(name) + "</url>\n<abstract>")
	s.WriteString(escape.Replace(d.sentence(10+d.random.IntN(60))) + "</abstract>\n<links>\n")
	for range d.random.IntN(9) {
		anchor := d.word()
		s.WriteString(`<sublink linktype="nav"><anchor>` + anchor + "</anchor><link>https://en.wikipedia.org/wiki/" + escape.Replace(name) + "#" + anchor + "</link></sublink>\n")
	}
	s.WriteString("</links>\n</doc>\n")
	_, _ = io.WriteString(w, s.String())
}

// jsonLine writes an object of about 400 bytes.
func (d *dump) jsonLine(w io.Writer) {
	text := strings.ReplaceAll(d.sentence(20+d.random.IntN(60)), `"`, `\"`)
	_, _ = io.WriteString(w, `{"id":`+strconv.Itoa(d.random.IntN(1e9))+`,"title":"`+d.word()+`","price":`+strconv.FormatFloat(d.random.Float64()*100, 'f', 2, 64)+
		`,"tags":["`+d.word()+`","`+d.word()+`"],"text":"`+text+`","seen":true,"at":{"lat":1.5,"lon":-0.25}}`+"\n")
}

// csvLine writes a row of about 400 bytes.
func (d *dump) csvLine(w io.Writer) {
	text := `"` + strings.ReplaceAll(d.sentence(20+d.random.IntN(60)), `"`, `""`) + `"`
	_, _ = io.WriteString(w, strconv.Itoa(d.random.IntN(1e9))+","+d.word()+","+strconv.FormatFloat(d.random.Float64()*100, 'f', 2, 64)+","+text+",true,1.5\n")
}

// file returns a file of at least so many bytes.
func (d *dump) file(head, tail string, size int, line func(io.Writer)) string {
	var s strings.Builder
	s.WriteString(head)
	for s.Len() < size {
		line(&s)
	}
	s.WriteString(tail)
	return s.String()
}

// The kinds of files.
func (d *dump) abstracts(size int) string { return d.file("<feed>\n", "</feed>\n", size, d.abstract) }
func (d *dump) jsonLines(size int) string { return d.file("", "", size, d.jsonLine) }
func (d *dump) tsv(size int) string {
	return d.file("id\tword\ttext\n", "", size, func(w io.Writer) {
		_, _ = io.WriteString(w, strconv.Itoa(d.random.IntN(1e9))+"\t"+d.word()+"\t"+d.sentence(20+d.random.IntN(60))+"\n")
	})
}
func (d *dump) csv(size int) string {
	return d.file("id,title,price,text,seen,lat\n", "", size, d.csvLine)
}
