package report

import (
	"math"
	"time"
)

// sweepStep is a step of the sweeps below, on a server that is full at
// 120,000 requests a second.
func sweepStep(at float64, held, kept bool) SweepStep {
	r := openRun()
	load := at / 120_000
	r.RatePerSec = min(at, 118_400)
	r.WindowNs, r.Workload.DurationNs, r.Intervals = 2e9, 2e9, nil
	r.Requests = Requests{Sent: int64(2 * at), Succeeded: int64(2 * at)}
	p99 := 0.12 / (1 - min(load, 0.995))
	r.Latency.Count = r.Requests.Succeeded
	r.Latency.AvgNs, r.Latency.MaxNs = ms(p99/3), ms(p99*7)
	r.Latency.Percentiles = []Percentile{{50, ms(p99 / 4)}, {90, ms(p99 / 2)}, {99, ms(p99)}, {99.9, ms(p99 * 2.1)}}
	r.OpenLoop.RatePerSec, r.OpenLoop.Arrivals, r.OpenLoop.Missed = at, "constant", 0
	measured := math.Round(p99 * 1e6)
	r.Objectives = []Objective{{Text: "p99<1ms", Figure: "p99", Compare: "<", Limit: 1e6, Measured: &measured, Unit: "ns", Held: measured < 1e6}}
	return SweepStep{At: at, Kept: kept, Held: held, Result: r}
}

// sweepRun is the sweep that the golden files show.
func sweepRun() *SweepResult {
	s := &SweepResult{
		Schema: Schema, Kind: KindSweep, Version: "0.1.0", StartedAt: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC),
		Sweep:    SweepWorkload{By: ByRate, From: 12_000, To: 1_200_000, StepNs: 2e9, Objective: "p99<1ms", Trial: &SweepTrial{50, 119_870.2}},
		Highest:  &SweepHighest{At: 104_000, Step: 7, Fails: ptr(107_000.0)},
		Knee:     &SweepKnee{At: 65_000, Step: 3},
		Warnings: []string{},
	}
	for _, at := range []float64{12_000, 24_500, 45_000, 65_000, 86_100} {
		s.Steps = append(s.Steps, sweepStep(at, true, true))
	}
	s.Steps = append(s.Steps,
		sweepStep(114_000, false, true), sweepStep(151_000, false, false),
		sweepStep(104_000, true, true), sweepStep(107_000, false, true), sweepStep(107_000, false, true))
	return s
}

// sweepInterrupted is a sweep by rate without an objective, on which a signal
// fell.
func sweepInterrupted() *SweepResult {
	s := sweepRun()
	s.Sweep.Objective = ""
	s.Interrupted = "SIGINT"
	s.Steps = s.Steps[:4]
	for i := range s.Steps {
		s.Steps[i].Result.Objectives = nil
	}
	last := &s.Steps[3]
	last.Kept, last.Held, last.Result.Interrupted = false, false, "SIGINT"
	s.Highest, s.Knee = &SweepHighest{At: 45_000, Step: 2}, nil
	return s
}

// sweepMissed is a sweep that held its objective nowhere, and then failed.
func sweepMissed() *SweepResult {
	s := sweepRun()
	s.Sweep.Objective = "p99.9<=10us"
	s.Steps = s.Steps[:3]
	for i := range s.Steps {
		s.Steps[i].Held = false
		s.Steps[i].Result.Objectives = []Objective{{Text: "p99.9<=10us", Figure: "p99.9", Compare: "<=", Limit: 1e4, Measured: ptr(2e6), Unit: "ns"}}
	}
	s.Highest, s.Knee = nil, nil
	s.Problem = "step 4 at 65,000/s: cannot connect to 127.0.0.1:6379: connection refused"
	s.Warnings = []string{"The server ran inside this process: good for a first try, no figures worth quoting."}
	return s
}

// sweepConnections is a sweep by connections, whose last step had errors
// alone.
func sweepConnections() *SweepResult {
	s := sweepRun()
	s.Sweep = SweepWorkload{By: ByConnections, From: 1, To: 1024, StepNs: 2e9}
	s.Steps = nil
	for _, c := range []int{1, 2, 4, 8, 16} {
		step := sweepStep(float64(c)*7000, true, true)
		step.At, step.Result.OpenLoop, step.Result.Objectives = float64(c), nil, nil
		step.Result.Workload.Connections, step.Result.Workload.Pipeline = c, 1
		s.Steps = append(s.Steps, step)
	}
	last := &s.Steps[4]
	last.Kept, last.Held = false, false
	r := failedRun()
	r.Errors[0].Sample = "BUSY \x1b[31mslow down"
	r.Workload, r.OpenLoop = last.Result.Workload, nil
	last.Result = r
	s.Highest, s.Knee = nil, &SweepKnee{At: 8, Step: 3}
	return s
}

func objectivesRun() *Result {
	r := errorsRun()
	r.Objectives = []Objective{
		{Text: "p99<2ms", Figure: "p99", Compare: "<", Limit: 2e6, Measured: ptr(722_431.0), Unit: "ns", Held: true},
		{Text: "qps>150k", Figure: "qps", Compare: ">", Limit: 150e3, Measured: ptr(142_376.3), Unit: "per_sec"},
		{Text: "errors<0.1%", Figure: "errors", Compare: "<", Limit: 0.1, Measured: ptr(0.0423), Unit: "percent", Held: true},
		{Text: "lost<=0", Figure: "lost", Compare: "<=", Limit: 0, Measured: ptr(1.0), Unit: "count"},
	}
	return r
}

func abortedRun() *Result {
	r := objectivesRun()
	r.Aborted = &Abort{Text: "errors>0.04%", Measured: 0.0423, Unit: "percent", AtNs: 19_950_000_000}
	return r
}
