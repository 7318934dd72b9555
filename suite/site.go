package suite

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
)

const (
	// occasionTime bounds what is asked beside the load at one time. Emptying
	// a database of many keys takes a while.
	occasionTime = 10 * time.Minute

	// countTime bounds the counting of keys by their names, which looks at all
	// keys of the database.
	countTime = 10 * time.Second

	// scanCount is how many keys a step of SCAN looks at.
	scanCount = "1000"
)

// site is a target beside the load: what the suite asks it and does to it.
type site struct {
	dialer conn.Dialer
	shape  generator.ClusterShape
	keys   keySpace
	before int64 // keys in the database before the suite
	err    error // why before is not known

	missing []string // commands of the suite that the server does not have, sorted
}

// with calls do with a connection that is closed afterwards: during a test it
// would idle, and servers drop those that do. In a cluster it calls do for each
// primary.
func (s *site) with(ctx context.Context, do func(context.Context, *conn.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, occasionTime)
	defer cancel()
	servers, _, err := s.servers(ctx)
	if err != nil {
		return err
	}
	for _, d := range servers {
		client, err := d.Client(ctx)
		if err != nil {
			return err
		}
		err = do(ctx, client)
		client.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// refused names the server and the command in an error.
func (s *site) refused(command string, err error) error {
	return fmt.Errorf("%s: %s: %w", s.dialer.Address, command, err)
}

// meet counts the keys; the error is that the server cannot be reached.
func (s *site) meet(ctx context.Context) error {
	s.before, s.err = 0, nil
	return s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		n, err := s.count(ctx, c)
		s.before, s.err = s.before+n, cmp.Or(s.err, err)
		return nil
	})
}

// size counts the keys of the database.
func (s *site) size(ctx context.Context) (n int64, err error) {
	err = s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		some, err := s.count(ctx, c)
		n += some
		return err
	})
	return n, err
}

func (s *site) count(ctx context.Context, c *conn.Client) (int64, error) {
	v, err := c.Do(ctx, "DBSIZE")
	if err != nil {
		return 0, s.refused("DBSIZE", err)
	}
	return v.Int, nil
}

// countNamed counts the keys that match a pattern. It is an error if there
// are too many keys in the database to look at all.
func (s *site) countNamed(ctx context.Context, pattern string) (n int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	err = s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		return s.scan(ctx, c, pattern, func(names []string) (bool, error) {
			n += int64(len(names))
			return true, nil
		})
	})
	return n, err
}

// sweep deletes the keys of suites and leaves those of others, for which its
// error is a *ForeignKeysError.
func (s *site) sweep(ctx context.Context) error {
	var foreign string
	var others int64
	err := s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		_, err := s.deleteOwn(ctx, c, "*", func(name string) { foreign, others = name, others+1 })
		return err
	})
	if err == nil && others > 0 {
		err = &ForeignKeysError{Address: s.dialer.Address, DB: s.dialer.DB, Key: foreign, Keys: others}
	}
	return err
}

// deleteOwn deletes the keys of suites among those that match, and tells
// spare of the others.
func (s *site) deleteOwn(ctx context.Context, c *conn.Client, pattern string, spare func(string)) (deleted int64, err error) {
	err = s.scan(ctx, c, pattern, func(names []string) (bool, error) {
		var own []string
		for _, name := range names {
			if isSuiteKey(name) {
				own = append(own, name)
			} else {
				spare(name)
			}
		}
		n, err := s.delete(ctx, c, own)
		deleted += n
		return err == nil, err
	})
	return deleted, err
}

// flush empties the database, whatever it holds.
func (s *site) flush(ctx context.Context) error {
	return s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		if _, err := c.Do(ctx, "FLUSHDB"); err != nil {
			return s.refused("FLUSHDB", err)
		}
		return nil
	})
}

// delete deletes keys.
func (s *site) delete(ctx context.Context, c *conn.Client, names []string) (deleted int64, err error) {
	var commands [][]string
	switch {
	case len(names) == 0:
		return 0, nil
	case s.shape.Cluster: // the keys of a command must lie in one slot
		for _, name := range names {
			commands = append(commands, []string{"DEL", name})
		}
	default:
		commands = append(commands, append([]string{"DEL"}, names...))
	}
	replies, err := c.All(ctx, commands)
	for _, v := range replies {
		deleted += v.Int
	}
	if err != nil {
		err = s.refused("DEL", err)
	}
	return deleted, err
}

// scan hands over the names of all keys that match, some at a time, until
// each returns false.
func (s *site) scan(ctx context.Context, c *conn.Client, pattern string, each func([]string) (bool, error)) error {
	for cursor := "0"; ; {
		v, err := c.Do(ctx, "SCAN", cursor, "MATCH", pattern, "COUNT", scanCount)
		if err != nil {
			return s.refused("SCAN", err)
		}
		if len(v.Elems) != 2 {
			return s.refused("SCAN", fmt.Errorf("a reply of %d elements", len(v.Elems)))
		}
		var names []string
		for _, e := range v.Elems[1].Elems {
			names = append(names, e.Str)
		}
		if more, err := each(names); err != nil || !more {
			return err
		}
		if cursor = v.Elems[0].Str; cursor == "0" {
			return nil
		}
	}
}

// ForeignKeysError tells that a database holds keys that no suite has made,
// and that a suite was therefore not started or has ended.
type ForeignKeysError struct {
	Address string
	DB      int
	Key     string // one of them
	Keys    int64  // all keys of the database
	// Unprefixed are the suite's own tests that may have made it, as they name
	// keys without ${prefix}; nil before any was run.
	Unprefixed []string
}

func (e *ForeignKeysError) Error() string {
	keys := "a key that no suite has made"
	if e.Keys > 1 {
		keys = fmt.Sprintf("%s keys, and not all of them are a suite's", report.Thousands(e.Keys))
	}
	text := fmt.Sprintf("%s: database %d holds %s: %q", e.Address, e.DB, keys, e.Key)
	if len(e.Unprefixed) > 0 {
		text += fmt.Sprintf(" (%s: keys without ${prefix})", strings.Join(e.Unprefixed, ", "))
	}
	return text
}

// refuseForeign looks for a key that no suite has made. Where there is one, a
// few steps of SCAN find it.
func (s *site) refuseForeign(ctx context.Context) error {
	if s.before == 0 {
		return nil
	}
	return s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		return s.scan(ctx, c, "*", func(names []string) (bool, error) {
			for _, name := range names {
				if !isSuiteKey(name) {
					return false, &ForeignKeysError{Address: s.dialer.Address, DB: s.dialer.DB, Key: name, Keys: s.before}
				}
			}
			return true, nil
		})
	})
}

// Clean deletes the keys that suites have left in the database that the
// dialer selects, and returns how many they were. It deletes no others, which
// it knows by their names.
func Clean(ctx context.Context, d conn.Dialer, shape generator.ClusterShape) (deleted int64, err error) {
	s := &site{dialer: d, shape: shape}
	err = s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		n, err := s.deleteOwn(ctx, c, keyPrefix+"*", func(string) {})
		deleted += n
		return err
	})
	return deleted, causeOr(ctx, err)
}
