package generator

import "github.com/respbench/respbench/conn"

// partial is a joint unit whose replies come one by one. They count when the last
// of them is there: should one of its commands have to be sent again, the whole
// unit is, and none of its replies is counted twice.
type partial struct {
	class    int
	index    uint64
	answered int
	answers  []answer // the successful ones
	failures []refusal
	again    *unit // it is sent again
}

// answer is successful replies, and the clock time of them.
type answer struct {
	conn.Replies
	at int64
}

// refusal is an error reply.
type refusal struct {
	request conn.Request
	at      int64 // clock time
	text    string
}

// partialOf is the partly answered unit that r belongs to: the last one noted,
// one from place from on or, if it is none of them, a new one.
func (l *link) partialOf(r conn.Request, from int) (place int) {
	n := len(l.partial)
	if n > 0 && l.partial[n-1].has(r) {
		return n - 1
	}
	for k := from; k < n; k++ {
		if l.partial[k].has(r) {
			return k
		}
	}
	if n == cap(l.partial) {
		l.partial = append(l.partial, partial{})
	}
	l.partial = l.partial[:n+1]
	p := &l.partial[n]
	*p = partial{class: int(r.Class), index: r.Index, answers: p.answers[:0], failures: p.failures[:0]}
	return n
}

// has tells whether a request is of the unit.
func (p *partial) has(r conn.Request) bool { return p.index == r.Index && p.class == int(r.Class) }

// lastPartial is partialOf of an error: a read tells of those first, in the
// order of their requests.
func (l *link) lastPartial(r conn.Request) *partial {
	return &l.partial[l.partialOf(r, len(l.partial))]
}

// failedPart notes an error reply within a unit.
func (w *worker) failedPart(l *link, now int64, r conn.Request, text []byte) {
	p := l.lastPartial(r)
	if p.again == nil {
		perUnit := w.mix.classes[r.Class].perUnit
		if u, ok := w.again(l, now, unitOf(r, 0, perUnit), text); ok {
			u.n = perUnit
			if fault(text) {
				w.markCaught(&u)
			}
			p.answered++
			p.again = &u
			return
		}
	}
	p.answered++
	p.failures = append(p.failures, refusal{r, now, string(text)})
}

// settle counts the replies of units that are complete, in their order. Most
// are complete as they come.
func (w *worker) settle(l *link, now int64, replies []conn.Replies) {
	from, noted := 0, len(l.partial)
	for i := range replies {
		r := &replies[i]
		switch {
		case r.Class == asking:
		case !w.settles(int(r.Class)) || r.N == w.mix.classes[r.Class].perUnit:
			w.succeeded(l, now, r)
		default:
			k := l.partialOf(r.Request, from)
			if k < noted { // those before it have had theirs
				from = k
			}
			p := &l.partial[k]
			p.answered += r.N
			p.answers = append(p.answers, answer{*r, now})
		}
	}
	done := 0
	for done < len(l.partial) && l.partial[done].answered == w.mix.classes[l.partial[done].class].perUnit {
		w.conclude(l, &l.partial[done])
		done++
	}
	if done > 0 {
		l.forgetPartials(done)
	}
}

// forgetPartials takes the first n away, and keeps what they hold for others.
func (l *link) forgetPartials(n int) {
	for k := n; k < len(l.partial); k++ {
		l.partial[k-n], l.partial[k] = l.partial[k], l.partial[k-n]
	}
	l.partial = l.partial[:len(l.partial)-n]
}

// conclude counts the replies of a unit, or sends it again.
func (w *worker) conclude(l *link, p *partial) {
	if p.again != nil {
		w.wait(l.client, *p.again)
		return
	}
	for k := range p.answers {
		w.succeeded(l, p.answers[k].at, &p.answers[k].Replies)
	}
	for _, f := range p.failures {
		w.failed(l, f.at, f.request, []byte(f.text))
	}
}
