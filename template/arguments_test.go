package template

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppenderArguments(t *testing.T) {
	t.Parallel()
	a := NewAppender(mustParse(t, `SCRIPT LOAD "return 'a b'" ; SET k{index} ""`), 1)
	want := [][]string{{"SCRIPT", "LOAD", "return 'a b'"}, {"SET", "k5", ""}}
	if diff := cmp.Diff(want, a.Arguments(5)); diff != "" {
		t.Error(diff)
	}
}
