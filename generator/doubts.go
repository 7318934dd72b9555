package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/respbench/respbench/report"
)

// judge adds to a Result what to think of it: who was the limit, and what to
// doubt.
func judge(r *report.Result, a advice) {
	r.Limit = limit(r, a)
	for _, doubt := range doubts {
		if text := doubt(r, a); text != "" {
			r.Warnings = append(r.Warnings, text)
		}
	}
}

// doubts each look at one thing that can make a figure mean something else
// than it seems to; they return a sentence that says what to do, or "".
var doubts = [...]func(*report.Result, advice) string{
	doubtServer, doubtCluster, doubtReplicas, doubtClient, doubtRate, doubtLanes, doubtCount, doubtUnanswered, doubtRepeated, doubtHits, doubtEvictions, doubtSamples, doubtRows, doubtRange,
}

func doubtServer(r *report.Result, _ advice) string {
	if !r.Target.Embedded {
		return ""
	}
	return "The server ran inside this process: good for a first try, no figures worth quoting."
}

// doubtCluster warns of a run against one node of a cluster.
func doubtCluster(r *report.Result, a advice) string {
	if r.Workload.Cluster || !slices.ContainsFunc(r.Errors, func(c report.ErrorClass) bool { return c.Code == "MOVED" }) {
		return ""
	}
	return movedText(r.Target.Address, a)
}

// doubtReplicas warns of reads that were to go to replicas where there are none.
func doubtReplicas(r *report.Result, _ advice) string {
	isReplica := func(n report.Node) bool { return !n.Primary }
	if r.Workload.ReadFrom != ReadReplica.String() && r.Workload.ReadFrom != ReadAny.String() || slices.ContainsFunc(r.Nodes, isReplica) {
		return ""
	}
	return "The cluster tells of no replica that is in step, so primaries served all reads."
}

// movedText says what a MOVED means to who did not ask for a cluster.
func movedText(address string, a advice) string {
	return fmt.Sprintf("%s is one node of a cluster, and some keys live on others: %s.", address, a.cluster())
}

func doubtClient(r *report.Result, a advice) string {
	if r.Limit.Who != "client" {
		return ""
	}
	return "The client was the limit, so these are its figures and not the server's: " + a.client(&r.Workload) + "."
}

// doubtRate warns of an open loop that did not keep its rate: its latency then
// grows with the length of the run, and says little.
func doubtRate(r *report.Result, a advice) string {
	if r.OpenLoop == nil || reached(r) {
		return ""
	}
	share := reachedShare(r)
	if share < enoughOfRate && (r.Connect.Broken > 0 || r.Down()) {
		return fmt.Sprintf("Only %.1f %% of the requests that were due were done, as connections broke meanwhile.", 100*share)
	}
	if share >= enoughOfRate {
		return fmt.Sprintf("The last replies came %.0f ms after the time was up: the rate was not kept, and requests queued: %s. The limit was %s.",
			float64(r.WindowNs-r.Workload.DurationNs)/1e6, a.less(), limiter(r.Limit))
	}
	for _, s := range r.Stages {
		if all := s.Sent + s.Missed; all > 0 && float64(s.Sent) < 0.99*float64(all) {
			return fmt.Sprintf("From %s requests a second on, the rate was not reached (%.1f %% of it there), so requests queued and their latency has no level. The limit was %s.",
				report.Thousands(int64(s.AskedPerSec)), 100*float64(s.Sent)/float64(all), limiter(r.Limit))
		}
	}
	return fmt.Sprintf("Only %.1f %% of the requests that were due were done, so they queued ever longer and their latency has no level: %s. The limit was %s.", 100*share, a.less(), limiter(r.Limit))
}

// doubtLanes is doubtRate of each lane.
func doubtLanes(r *report.Result, a advice) string {
	var texts []string
	for i := range r.Lanes {
		lane := laneResult(r, i)
		if text := doubtRate(&lane, a); text != "" {
			texts = append(texts, fmt.Sprintf("Lane %s: %s", r.Lanes[i].Name, text))
		}
	}
	return strings.Join(texts, " ")
}

// laneResult is a lane as if it had been a run of its own.
func laneResult(r *report.Result, i int) report.Result {
	lane := &r.Lanes[i]
	of := *r
	of.WindowNs, of.Requests, of.Latency, of.OpenLoop, of.Lanes = lane.WindowNs, lane.Requests, lane.Latency, lane.OpenLoop, nil
	return of
}

// enoughOfRate is the share of the requests due that an open loop must have
// done to have kept its rate.
const enoughOfRate = 0.99

// reached tells whether an open loop kept its rate: it sent what was due, and
// was done about in time. Lanes did if each has a rate and kept it.
func reached(r *report.Result) bool {
	for i := range r.Lanes {
		if lane := laneResult(r, i); !reached(&lane) {
			return false
		}
	}
	return len(r.Lanes) > 0 || r.OpenLoop != nil && reachedShare(r) >= enoughOfRate && pace(r) >= kept
}

// reachedShare is how much of what an open loop had to do was answered.
func reachedShare(r *report.Result) float64 {
	all := r.Requests.Sent + r.OpenLoop.Missed
	if all == 0 {
		return 1
	}
	return float64(r.Requests.Sent-r.Requests.Unanswered-r.Requests.Lost) / float64(all)
}

// limiter names who was the limit, within a sentence.
func limiter(l report.Limit) string {
	switch l.Who {
	case "server", "client", "machine":
		return "the " + l.Who
	}
	return "neither side's CPU"
}

func doubtCount(r *report.Result, _ advice) string {
	asked := r.Workload.Requests
	timeWasUp := r.Workload.DurationNs > 0 && !r.Workload.Load
	if asked == 0 || r.Requests.Sent >= asked || r.Interrupted != "" || r.Aborted != nil || timeWasUp {
		return ""
	}
	return fmt.Sprintf("Only %s of %s requests were sent.", report.Thousands(r.Requests.Sent), report.Thousands(asked))
}

func doubtUnanswered(r *report.Result, _ advice) string {
	n := r.Requests.Unanswered
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Unanswered %v after sending ended: %s. How long these requests would have taken is in no figure.", drainBound, report.Thousands(n))
}

// doubtRepeated warns that a log did not make what it would have made: what was
// sent again may have been done before.
func doubtRepeated(r *report.Result, a advice) string {
	if !a.log || r.Faults == nil || r.Faults.Repeated == 0 {
		return ""
	}
	return fmt.Sprintf("Sent again, as their connections broke: %s. The server may have done them before, so the data may differ from those of the log.",
		counted(r.Faults.Repeated, "command"))
}

// doubtHits warns of reads that mostly found nothing: they are faster than
// those that do.
func doubtHits(r *report.Result, a advice) string {
	const few = 0.9
	if share, ok := foundByServer(r); ok {
		if share >= few {
			return ""
		}
		return fmt.Sprintf("%.1f %% of the reads met keys that do not exist: %s.", 100*(1-share), a.missing())
	}
	if r.Requests.Succeeded == 0 {
		return ""
	}
	found := 1 - float64(r.Requests.Empty)/float64(r.Requests.Succeeded)
	if found >= few {
		return ""
	}
	return fmt.Sprintf("%.1f %% of the replies were empty: if these are reads of missing keys, %s.", 100*(1-found), a.missing())
}

// foundByServer is the share of reads that found their key, by the server's
// count; ok is false if it counted few or none.
func foundByServer(r *report.Result) (share float64, ok bool) {
	if r.Server.Hits == nil || r.Server.Misses == nil {
		return 0, false
	}
	hits, reads := float64(*r.Server.Hits), float64(*r.Server.Hits+*r.Server.Misses)
	if reads < float64(r.Requests.Succeeded)/2 || reads == 0 {
		return 0, false
	}
	return hits / reads, true
}

func doubtEvictions(r *report.Result, _ advice) string {
	if r.Server.Evicted == nil || *r.Server.Evicted == 0 {
		return ""
	}
	return fmt.Sprintf("The server evicted %s keys during the run: its memory limit shaped these figures.", report.Thousands(*r.Server.Evicted))
}

// doubtSamples names the highest percentile that rests on too few samples.
func doubtSamples(r *report.Result, _ advice) string {
	if r.Latency == nil || r.Workload.Load {
		return ""
	}
	if p, ok := thinnest(r.Latency); ok {
		return fmt.Sprintf("With so few samples (%s), p%v and above rest on less than %d of them: run longer to trust them.",
			report.Thousands(r.Latency.Count), p, enoughSamples)
	}
	return ""
}

// enoughSamples is how many must lie above a percentile.
const enoughSamples = 10

// thinnest is the lowest percentile above which there are too few samples.
func thinnest(l *report.Latency) (percent float64, ok bool) {
	for _, p := range l.Percentiles {
		if p.Percent < 100 && float64(l.Count)*(100-p.Percent)/100 < enoughSamples && (!ok || p.Percent < percent) {
			percent, ok = p.Percent, true
		}
	}
	return percent, ok
}

// doubtRows is doubtSamples of the rows below the total, which have the p99.
func doubtRows(r *report.Result, _ advice) string {
	var thin []string
	look := func(name string, l *report.Latency) {
		if l != nil && l.Count < 100*enoughSamples {
			thin = append(thin, fmt.Sprintf("%s (%s)", name, report.Thousands(l.Count)))
		}
	}
	for _, s := range r.Stages {
		look(report.Thousands(int64(s.AskedPerSec))+"/s", s.Latency)
	}
	for _, lane := range r.Lanes {
		look("lane "+lane.Name, lane.Latency)
	}
	for k, part := range r.Parts {
		look(fmt.Sprintf("template %d", k+1), part.Latency)
	}
	if len(thin) == 0 || r.Workload.Load || r.Latency == nil || r.Latency.Count < 100*enoughSamples { // which doubtSamples says
		return ""
	}
	return fmt.Sprintf("The p99 rests on less than %d samples in: %s.", enoughSamples, strings.Join(thin, ", "))
}

func doubtRange(r *report.Result, _ advice) string {
	if r.Latency == nil || r.Latency.OverRange == 0 {
		return ""
	}
	return fmt.Sprintf("%s latencies exceed the histogram's range; they count, and only average and maximum are exact for them.", report.Thousands(r.Latency.OverRange))
}

// counted is a number of something, which has an s if there are several.
func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return report.Thousands(n) + " " + what
}
