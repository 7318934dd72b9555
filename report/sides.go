package report

import (
	"strconv"
	"strings"
	"time"
)

// shortestForCPU is the window below which CPU times say nothing: what was
// used just before and after would outweigh it.
const shortestForCPU = int64(100 * time.Millisecond)

// sides adds what the run was to the server and to the client, who was the
// limit, and how the number of connections was found.
func (p *page) sides(r *Result) {
	p.gap()
	p.row("hits", hitRate(r)...)
	p.row("server", serverSide(r)...)
	p.row("client", clientSide(r)...)
	p.row("limit", limit(&r.Limit)...)
	p.tuning(r.Tuning)
	p.notes(r)
}

// hitRate says how many reads found something, by the server's count if it
// told one.
func hitRate(r *Result) []string {
	hits, misses := r.Server.Hits, r.Server.Misses
	if hits != nil && misses != nil && *hits+*misses > 0 {
		return []string{percent(*hits, *hits+*misses) + " by the server's count: " +
			counted(*hits, "hit") + ", " + countedAs(*misses, "miss", "misses")}
	}
	if q := &r.Requests; q.Empty > 0 && q.Succeeded > 0 {
		return []string{percent(q.Succeeded-q.Empty, q.Succeeded) + " by the replies: " +
			Thousands(q.Empty) + " of " + Thousands(q.Succeeded) + " held nothing"}
	}
	return nil
}

// serverSide is what INFO told, without what the load's summary says already.
func serverSide(r *Result) []string {
	s := &r.Server
	var pieces []string
	if s.CPUNs != nil && r.WindowNs >= shortestForCPU {
		cpu := "CPU " + cpuShare(*s.CPUNs, r.WindowNs) + " of one core"
		if s.MainCPUNs != nil && s.IOThreads > 1 {
			cpu += ", main thread " + cpuShare(*s.MainCPUNs, r.WindowNs)
		}
		pieces = append(pieces, cpu)
	}
	if s.UsedMemory != nil {
		memory := "memory " + bytesText(s.UsedMemory.After)
		if change := s.growth(); change != "" && !r.Workload.Load {
			memory += ", " + change
		}
		if s.MaxMemory > 0 {
			memory += " (limit " + bytesText(s.MaxMemory) + ")"
		}
		pieces = append(pieces, memory)
	}
	if s.Keys != nil && !r.Workload.Load {
		pieces = append(pieces, aboutCounted(s.Keys.After, "key"))
	}
	if s.Evicted != nil && *s.Evicted > 0 {
		pieces = append(pieces, Thousands(*s.Evicted)+" evicted")
	}
	if s.Expired != nil && *s.Expired > 0 {
		pieces = append(pieces, Thousands(*s.Expired)+" expired")
	}
	return pieces
}

// clientSide is what the run cost here.
func clientSide(r *Result) []string {
	var pieces []string
	if r.WindowNs > 0 {
		window := float64(r.WindowNs) / 1e9
		if c := &r.Client; c.UsableCPUs > 0 && r.WindowNs >= shortestForCPU {
			share := cpuShare(c.CPUNs, r.WindowNs*int64(c.UsableCPUs))
			pieces = append(pieces, "CPU "+share+" of "+counted(int64(c.UsableCPUs), "core"))
		}
		sent, received := byteRates(float64(r.Traffic.SentBytes)/window, float64(r.Traffic.ReceivedBytes)/window)
		pieces = append(pieces, "sent "+sent+", received "+received)
	}
	if r.Traffic.Pushes > 0 {
		pieces = append(pieces, countedAs(r.Traffic.Pushes, "push", "pushes"))
	}
	if r.Connect.Count > 0 {
		pieces = append(pieces, "connecting "+millis(r.Connect.AvgNs))
	}
	return pieces
}

// cpuShare is CPU time as a share of the time that passed, in whole percent.
func cpuShare(cpuNs, ns int64) string {
	return fixed(100*float64(cpuNs)/float64(ns), 0) + " %"
}

func limit(l *Limit) []string {
	if l.Who == "" {
		return nil
	}
	text := who(l.Who)
	if l.Why != "" {
		text += ": " + Printable(l.Why)
	}
	return []string{text}
}

// who is the limit in words: "the server", "neither".
func who(limit string) string {
	if limit == "server" || limit == "client" || limit == "machine" || limit == "rate" {
		return "the " + limit
	}
	return Printable(limit)
}

// tuning adds the steps of automatic tuning.
func (p *page) tuning(steps []TuningStep) {
	if len(steps) == 0 {
		return
	}
	pieces := make([]string, len(steps))
	for i, step := range steps {
		pieces[i] = strconv.Itoa(step.Connections) + ": " + shortRate(step.RatePerSec)
	}
	pieces[len(pieces)-1] += "/s"
	head := "  " + p.ink.dim("tuned") + strings.Repeat(" ", labelColumns-2-len("tuned"))
	p.hang(head, labelColumns, "  ", pieces)
}

// notes adds what the server would not tell.
func (p *page) notes(r *Result) {
	for _, note := range r.Server.Notes {
		p.row("note", Printable(note))
	}
}
