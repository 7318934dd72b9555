package suite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/template"
)

// keyPrefix starts the names of all keys that suites make, but with
// FlushForce.
const keyPrefix = "respbench:"

// keySpace numbers the keys of one run of a suite on one target, so that
// neither another target on the same database nor another run with the same
// seed has the same.
type keySpace uint64

// newKeySpaces makes so many that differ from each other, and most probably
// from those of any other run.
func newKeySpaces(n int) []keySpace {
	first := uint64(rand.Uint32())
	list := make([]keySpace, n)
	for i := range list {
		list[i] = keySpace(first + uint64(i))
	}
	return list
}

// prefix is what the keys of a test start with, in a round from 0.
func (k keySpace) prefix(test string, round int) string {
	return fmt.Sprintf("%s%d:%s.%d:", keyPrefix, uint64(k), strings.ToLower(test), round+1)
}

// pattern covers all keys of k, as SCAN takes it.
func (k keySpace) pattern() string { return fmt.Sprintf("%s%d:*", keyPrefix, uint64(k)) }

// isSuiteKey tells whether a key starts as keySpace.prefix writes it:
// respbench:DIGITS:TEST.DIGITS: and not just respbench:.
func isSuiteKey(name string) bool {
	rest, ok := strings.CutPrefix(name, keyPrefix)
	if !ok {
		return false
	}
	run, rest, ok := strings.Cut(rest, ":")
	if !ok || !allDigits(run) {
		return false
	}
	test, _, ok := strings.Cut(rest, ":")
	dot := strings.LastIndexByte(test, '.')
	return ok && dot > 0 && validateName(test[:dot]) == nil && test == strings.ToLower(test) && allDigits(test[dot+1:])
}

func allDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// unprefixed are the tests with a command of which no argument has the
// prefix, although it may name keys: those would not be known by their names.
// All commands count, those before and after the test too.
func (s *Suite) unprefixed(scale float64) []string {
	const mark = keyPrefix + "0:mark.1:"
	planned, err := s.plan(planOptions{scale: scale, prefix: mark, template: template.Options{AnyData: true}})
	if err != nil { // it would not run either
		return nil
	}
	var list []string
	for i := range planned {
		t := &planned[i]
		if slices.ContainsFunc(t.programs(), func(p *template.Program) bool { return namesOthers(p, mark) }) {
			list = append(list, t.test.Name)
		}
	}
	return list
}

// namesOthers tells whether a command of a unit may name a key without mark.
func namesOthers(p *template.Program, mark string) bool {
	return slices.ContainsFunc(template.NewAppender(p, 0).Arguments(0), func(args []string) bool {
		marked := slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, mark) })
		return len(args) > 1 && !marked && !conn.Keyless(args[0])
	})
}
