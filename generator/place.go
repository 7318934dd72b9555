package generator

import (
	"context"
	"fmt"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
	"github.com/respbench/respbench/template"
)

const (
	// sampled is how many units of a template are looked at to see whether
	// the keys of a unit lie in one slot.
	sampled = 256

	// askedSamples is how many of them the server is asked for keys of.
	askedSamples = 3
)

// placement is where the units of a template go: by the key of one of their
// commands, or anywhere.
type placement struct {
	command  int // the first of the unit that has a key
	argument int // the number of its first key; 0 = no command has one
	reads    bool
}

// place finds where the units of a template go, and refuses one whose units
// may have keys in several slots.
func place(ctx context.Context, side *conn.Client, t Template, seed uint64) (placement, error) {
	units := sampleUnits(t.Program, seed)
	names := t.Program.Names()
	keys := make([][]int, len(names)) // by command: the numbers of the arguments that are keys
	p := placement{reads: true}
	for k := range names {
		samples := commandsOf(units[:askedSamples], k)
		positions, err := conn.KeyPositions(ctx, side, samples)
		if err != nil {
			return p, err
		}
		if keys[k] = positions; len(positions) == 0 {
			continue
		}
		if p.argument == 0 {
			p.command, p.argument = k, positions[0]
		}
		if p.reads {
			if p.reads, err = conn.ReadOnlyCommand(ctx, side, samples[0]); err != nil {
				return p, err
			}
		}
	}
	p.reads = p.reads && p.argument > 0
	return p, oneSlot(t.Program, units, keys)
}

// sampleUnits renders some units from all over a run.
func sampleUnits(program *template.Program, seed uint64) [][]byte {
	appender := template.NewAppender(program, seed)
	var list [][]byte
	for i := range uint64(sampled) {
		list = append(list, appender.Append(nil, i*i*i*1000003))
	}
	return list
}

// commandsOf is command k of each unit.
func commandsOf(units [][]byte, k int) (list [][]byte) {
	for _, u := range units {
		for range k {
			u = u[resp.CommandLen(u):]
		}
		list = append(list, u[:resp.CommandLen(u)])
	}
	return list
}

// oneSlot refuses a template of which some unit has keys in several slots:
// the nodes would refuse it, or do half of it.
func oneSlot(program *template.Program, units [][]byte, keys [][]int) error {
	for _, unit := range units {
		first, firstKey := -1, ""
		rest := unit
		for _, positions := range keys {
			for _, k := range positions {
				key := resp.Argument(rest, k)
				switch slot := conn.KeySlot(key); {
				case first < 0:
					first, firstKey = slot, string(key)
				case slot != first:
					return &SlotsError{Template: program.Source(), Keys: [2]string{firstKey, string(key)}}
				}
			}
			rest = rest[resp.CommandLen(rest):]
		}
	}
	return nil
}

// SlotsError is a template whose keys may lie in different slots of a cluster.
type SlotsError struct {
	Template string
	Keys     [2]string // that would have to go together
}

func (e *SlotsError) Error() string {
	return fmt.Sprintf("template: keys of one unit may lie in different slots of the cluster, as %q and %q do", e.Keys[0], e.Keys[1])
}
