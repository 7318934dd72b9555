package generator

import "github.com/respbench/respbench/conn"

// partial is a unit of several commands whose replies come one by one. They
// count when the last of them is there: should one of the commands have to be
// sent again, the whole unit is, and none of its replies is counted twice.
type partial struct {
	class    int
	index    uint64
	answered int
	replies  []conn.Replies // the successful ones
	times    []int64        // clock time of each of them
	failures []refusal
	again    *unit // it is sent again
}

// refusal is an error reply.
type refusal struct {
	request conn.Request
	at      int64 // clock time
	text    string
}

// partialOf is the partly answered unit that r belongs to.
func (l *link) partialOf(r conn.Request) *partial {
	for k := range l.partial {
		if p := &l.partial[k]; p.index == r.Index && p.class == int(r.Class) {
			return p
		}
	}
	l.partial = append(l.partial, partial{class: int(r.Class), index: r.Index})
	return &l.partial[len(l.partial)-1]
}

// failedPart notes an error reply within a unit.
func (w *worker) failedPart(l *link, now int64, r conn.Request, text []byte) {
	p := l.partialOf(r)
	if p.again == nil {
		if u, ok := w.again(l, now, unitOf(r, 0), text); ok {
			if fault(text) {
				w.markCaught(&u)
			}
			p.answered++
			p.again = &u
			return
		}
	}
	w.refusedPart(l, now, r, text)
}

// refusedPart notes an error reply within a unit that ends the unit.
func (w *worker) refusedPart(l *link, now int64, r conn.Request, text []byte) {
	p := l.partialOf(r)
	p.answered++
	p.failures = append(p.failures, refusal{r, now, string(text)})
}

// settle counts the replies of units that are complete, in their order.
func (w *worker) settle(l *link, now int64, replies []conn.Replies) {
	for _, r := range replies {
		if r.Class == asking {
			continue
		}
		p := l.partialOf(r.Request)
		p.answered += r.N
		p.replies = append(p.replies, r)
		p.times = append(p.times, now)
	}
	done := 0
	for done < len(l.partial) && l.partial[done].answered == w.mix.classes[l.partial[done].class].perUnit {
		w.conclude(l, &l.partial[done])
		done++
	}
	l.partial = append(l.partial[:0], l.partial[done:]...)
}

// conclude counts the replies of a unit, or sends it again.
func (w *worker) conclude(l *link, p *partial) {
	if p.again != nil {
		w.wait(l.client, *p.again)
		return
	}
	for k := range p.replies {
		w.succeeded(l, p.times[k], &p.replies[k])
	}
	for _, f := range p.failures {
		w.failed(l, f.at, f.request, []byte(f.text))
	}
}
