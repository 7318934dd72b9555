package conn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseURI(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want Dialer
	}{
		{"redis://example.org", Dialer{Network: "tcp", Address: "example.org:6379"}},
		{"redis://:secret@h:7000/3", Dialer{Network: "tcp", Address: "h:7000", Password: "secret", DB: 3}},
		{"redis://a%40b:p%3A%2F%23%3F%25%20%C3%A9%22@h", Dialer{Network: "tcp", Address: "h:6379", User: "a@b", Password: `p:/#?% é"`}},
		{"redis://[::1]:7000", Dialer{Network: "tcp", Address: "[::1]:7000"}},
		{"valkey://h", Dialer{Network: "tcp", Address: "h:6379"}},
		{"rediss://u:p@h/2", Dialer{Network: "tcp", Address: "h:6379", User: "u", Password: "p", DB: 2, TLS: new(TLS)}},
		{"valkeys://h:7000", Dialer{Network: "tcp", Address: "h:7000", TLS: new(TLS)}},
		{"redis://%00%FF:%0d%0a@h", Dialer{Network: "tcp", Address: "h:6379", User: "\x00\xff", Password: "\r\n"}},
		{"unix:///run/redis.sock?db=2", Dialer{Network: "unix", Address: "/run/redis.sock", DB: 2}},
		{"unix://u:p@/run/redis.sock", Dialer{Network: "unix", Address: "/run/redis.sock", User: "u", Password: "p"}},
	}
	for _, test := range tests {
		got, err := ParseURI(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(TLS{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestParseURIRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"127.0.0.1:6379":       "redis://",
		"http://h":             `"http"`,
		"rediss://":            "names no host",
		"rediss://h?db=1":      `"db"`,
		"unix://":              "socket",
		"redis://h/x":          `"x"`,
		"redis://h/-1":         `"-1"`,
		"redis://u:secret%@h":  "percent-encoded",
		"redis://h:port":       "redis://user",
		"redis://:sec#ret@h/1": "percent-encoded",
		"redis://":             "names no host",
		"redis://h:70000":      `"70000"`,
		"redis://h?db=1":       `"db"`,
		"unix:///s?x=1":        `"x"`,
		"unix://dir/s":         "unix:///path",
	} {
		_, err := ParseURI(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "sec") {
			t.Errorf("%s: the error shows the password: %v", text, err)
		}
	}
}
