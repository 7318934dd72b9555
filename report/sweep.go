package report

import "time"

// SweepResult is everything that a sweep established: the curve of throughput
// against latency of one workload on one server, and what can be said of it.
// Each point of the curve is a whole Result.
type SweepResult struct {
	Schema      string        `json:"schema"`
	Kind        string        `json:"kind"` // "sweep"
	Version     string        `json:"respbench_version"`
	StartedAt   time.Time     `json:"started_at"`
	Interrupted string        `json:"interrupted,omitempty"` // "SIGINT" or "SIGTERM" if a signal ended the sweep
	Problem     string        `json:"problem,omitempty"`     // the error that ended the sweep early
	Sweep       SweepWorkload `json:"sweep"`
	Highest     *SweepHighest `json:"highest"`  // null when no step held, or nothing had to be
	Knee        *SweepKnee    `json:"knee"`     // null where the curve has none
	Steps       []SweepStep   `json:"steps"`    // in the order in which they were run
	Warnings    []string      `json:"warnings"` // of the sweep as a whole; each Result has its own
}

// What a sweep raises.
const (
	ByRate        = "rate"
	ByConnections = "connections"
)

// SweepWorkload is what was asked for, beside the workload that each Result
// describes.
type SweepWorkload struct {
	By        string      `json:"by"`                  // ByRate or ByConnections
	From      float64     `json:"from"`                // requests a second, or connections
	To        float64     `json:"to"`                  // likewise; no step is higher
	StepNs    int64       `json:"step_ns"`             // how long each step is measured
	Objective string      `json:"objective,omitempty"` // that each step is held against; "" = none
	Trial     *SweepTrial `json:"trial,omitempty"`
}

// SweepTrial is the short closed loop by which the bounds were found.
type SweepTrial struct {
	Connections int     `json:"connections"`
	RatePerSec  float64 `json:"rate_per_sec"`
}

// SweepStep is one point of the curve.
type SweepStep struct {
	At     float64 `json:"at"`   // requests a second asked for, or connections
	Kept   bool    `json:"kept"` // the rate was reached; by connections: every request was answered without an error
	Held   bool    `json:"held"` // Kept, and the objective, if there is one, was held
	Result *Result `json:"result"`
}

// SweepHighest is the highest rate, or number of connections, that held.
// Everything lower that was tried held, too.
type SweepHighest struct {
	At   float64 `json:"at"`
	Step int     `json:"step"` // index of a step at this value
	// Fails is the lowest that was tried above and did not hold; null if the
	// highest that was tried held, so that there may be more.
	Fails *float64 `json:"fails"`
}

// SweepKnee is where throughput divided by p99 is greatest: beyond it, latency
// grows faster than throughput.
type SweepKnee struct {
	At   float64 `json:"at"`
	Step int     `json:"step"` // index of a step at this value
}

// complete reports whether the step ran to its end, so that it is a point of
// the curve.
func (s *SweepStep) complete() bool { return s.Result.Interrupted == "" }

// Failed reports whether the sweep ended by an error, or nowhere held what it
// had to.
func (s *SweepResult) Failed() bool {
	if s.Problem != "" || len(s.Steps) == 0 {
		return true
	}
	for i := range s.Steps {
		if s.Steps[i].Kept {
			return false
		}
	}
	return true
}

// MissedObjective reports whether there is an objective that no step held.
func (s *SweepResult) MissedObjective() bool {
	return s.Sweep.Objective != "" && s.Highest == nil
}
