package template

import "testing"

// benchmarkTemplates has one command for each placeholder, and a few that
// people measure with.
var benchmarkTemplates = []struct{ name, src string }{
	{"literal", "PING"},
	{"key_uniform", "GET <key uniform 10000000>"},
	{"key_sequence", "GET <key sequence 10000000>"},
	{"key_zipfian", "GET <key zipfian 10000000>"},
	{"key_zipfian_1", "GET <key zipfian 1.0 10000000>"},
	{"key_gaussian", "GET <key gaussian 10000000>"},
	{"key_latest", "GET <key latest 10000000>"},
	{"int_uniform", "GET <int uniform 10000000>"},
	{"range", "ZRANGE z <range 100000 50>"},
	{"value_64", "ECHO <value 64>"},
	{"value_4ki", "ECHO <value 4ki>"},
	{"value_range", "ECHO <value 32..96>"},
	{"value_weighted", "ECHO <value 64:9,128:1>"},
	{"bytes_64", "ECHO <bytes 64>"},
	{"index", "ECHO <index>"},
	{"uuid", "ECHO <uuid>"},
	{"time", "ECHO <time ms>"},
	{"set", "SET <key uniform 10000000> <value 64>"},
	{"transaction", "MULTI ; INCR <key uniform 100 as k> ; EXPIRE <k> 60 ; EXEC"},
}

func BenchmarkAppend(b *testing.B) {
	for _, t := range benchmarkTemplates {
		b.Run(t.name, func(b *testing.B) {
			p, err := Parse(t.src)
			if err != nil {
				b.Fatal(err)
			}
			a := NewAppender(p, 1)
			var dst []byte
			b.ReportAllocs()
			for i := uint64(0); b.Loop(); i++ {
				dst = a.Append(dst[:0], i)
			}
		})
	}
}
