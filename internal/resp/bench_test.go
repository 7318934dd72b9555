package resp

import (
	"bytes"
	"testing"
)

func BenchmarkScan(b *testing.B) {
	bulk64 := append(append([]byte("$64\r\n"), bytes.Repeat([]byte("x"), 64)...), '\r', '\n')
	list := []byte("*100\r\n")
	for range 100 {
		list = append(list, bulk64...)
	}
	for _, bb := range []struct {
		name  string
		reply []byte
	}{
		{"OK", []byte("+OK\r\n")},
		{"integer", []byte(":123456\r\n")},
		{"null", []byte("$-1\r\n")},
		{"bulk64", bulk64},
		{"status", []byte("+QUEUED\r\n")},
		{"error", []byte("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n")},
		{"exec", []byte("*3\r\n+OK\r\n:1\r\n$1\r\nx\r\n")},
		{"range100", list},
	} {
		b.Run(bb.name, func(b *testing.B) {
			// Sixteen replies in one buffer, as a pipeline brings them.
			buf := bytes.Repeat(bb.reply, 16)
			var s Scanner
			at := 0
			b.SetBytes(int64(len(bb.reply)))
			for b.Loop() {
				n, st := s.Scan(buf[at:])
				if st != Complete {
					b.Fatal(st, s.Problem())
				}
				if at += n; at == len(buf) {
					at = 0
				}
			}
		})
	}
}
