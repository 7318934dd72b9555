package suite

import (
	"context"
	"errors"
	"fmt"

	"github.com/respbench/respbench/report"
)

// leave empties the databases, or tells what has been left in them. The error
// is a *ForeignKeysError, of the first target that has such keys.
func (s *runner) leave(ctx context.Context) (err error) {
	for i, site := range s.sites {
		var left *report.SuiteLeft
		if s.cfg.Flush == FlushNo {
			left = s.remains(ctx, i)
		} else if emptying := s.empty(ctx, site); emptying != nil {
			left = &report.SuiteLeft{Problem: fmt.Sprintf("the database was not emptied at the end: %v", emptying)}
			var foreign *ForeignKeysError
			if errors.As(emptying, &foreign) {
				left.Problem = fmt.Sprintf("the suite's own keys were deleted, no others: %v", foreign)
				if err == nil {
					err = foreign
				}
			}
		} else {
			left = &report.SuiteLeft{Emptied: true}
		}
		s.result.Targets[i].Left = left
	}
	return err
}

// empty makes a fresh database. Only FlushForce deletes what others made.
func (s *runner) empty(ctx context.Context, site *site) error {
	if s.cfg.Flush == FlushForce {
		return site.flush(ctx)
	}
	err := site.sweep(ctx)
	var foreign *ForeignKeysError
	if errors.As(err, &foreign) {
		foreign.Unprefixed = s.unprefixed
	}
	return err
}

// remains tells which keys of this run are left on a target; nil if there are
// none. They are counted by their names, and where that cannot be done by how
// many the database has grown.
func (s *runner) remains(ctx context.Context, target int) *report.SuiteLeft {
	if s.cfg.Targets[target].InProcess {
		return nil // they end with the process
	}
	site := s.sites[target]
	left := &report.SuiteLeft{Pattern: site.keys.pattern(), Foreign: s.unprefixed}
	var uncounted error
	if left.Keys, uncounted = site.countNamed(ctx, left.Pattern); uncounted != nil {
		after, err := site.size(ctx)
		if site.err != nil {
			err = site.err
		}
		if err != nil {
			left.Keys, left.Problem = 0, fmt.Sprintf("the keys could not be counted: %v", err)
			return left
		}
		left.Keys, left.Grown = max(0, after-site.before), true
	}
	if left.Keys == 0 && len(left.Foreign) == 0 {
		return nil
	}
	return left
}
