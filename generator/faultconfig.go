package generator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// ErrorLimit is how many error replies a run may have. The zero value is any
// number.
type ErrorLimit struct {
	Set     bool
	Count   int64   // that may come
	Percent float64 // of the replies, instead of Count, if above 0
}

// UnmarshalText implements encoding.TextUnmarshaler: "100" or "0.5%".
func (l *ErrorLimit) UnmarshalText(text []byte) error {
	if share, ok := strings.CutSuffix(string(text), "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || !(p > 0 && p < 100) {
			return fmt.Errorf("%q is not a share above 0 %% and below 100 %%", text)
		}
		*l = ErrorLimit{Set: true, Percent: p}
		return nil
	}
	n, err := template.ParseNumber(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a number of errors, as 100, or a share, as 0.5%%", text)
	}
	*l = ErrorLimit{Set: true, Count: int64(n)}
	return nil
}

// String is how it is written.
func (l ErrorLimit) String() string {
	if l.Percent > 0 {
		return strconv.FormatFloat(l.Percent, 'g', -1, 64) + "%"
	}
	return strconv.FormatInt(l.Count, 10)
}

// remakes tells whether connections are made again during a run.
func (c *Config) remakes() bool {
	return c.Reconnect || c.Timeout > 0 || c.ConnMaxAge > 0 || c.ReconnectEvery > 0
}

// checkIdle explains what is wrong with a run that only holds connections.
func (c *Config) checkIdle() error {
	switch {
	case len(c.Templates) > 0:
		return fmt.Errorf("idle: nothing is sent, so leave the template out")
	case c.Connections == 0:
		return fmt.Errorf("idle: say how many connections to hold (-c)")
	case c.Requests > 0 || c.Load || c.Rate > 0 || len(c.Stages) > 0 || c.Warmup > 0:
		return fmt.Errorf("idle: nothing is sent, so only a time (-s) can be given")
	case c.Pipeline > 0:
		return fmt.Errorf("idle: nothing is sent, so there is no pipeline depth (-P)")
	case c.StopOnError || c.MaxErrors.Set || c.Timeout > 0:
		return fmt.Errorf("idle: nothing is sent, so no reply is late or an error (--on-error, --max-errors, --timeout)")
	case c.ReconnectEvery > 0:
		return fmt.Errorf("idle: nothing is sent, so connections are made anew after a time (--conn-max-age), not after requests")
	case len(c.Objectives)+len(c.AbortIf) > 0:
		return fmt.Errorf("idle: nothing is sent, so there is no figure to hold against an objective (--assert, --abort-if)")
	case c.ReadFrom != ReadPrimary:
		return fmt.Errorf("idle: nothing is read, so no nodes can be chosen for it (--read-from)")
	}
	return nil
}

// checkFaults explains what is wrong with what a run does about faults.
func (c *Config) checkFaults() error {
	switch {
	case c.Wait < 0:
		return fmt.Errorf("wait: %v is below 0", c.Wait)
	case c.Timeout < 0:
		return fmt.Errorf("timeout: %v is below 0", c.Timeout)
	case c.ConnMaxAge < 0:
		return fmt.Errorf("connection age: %v is below 0", c.ConnMaxAge)
	case c.ReconnectEvery < 0:
		return fmt.Errorf("reconnect every: %d is below 1", c.ReconnectEvery)
	case c.StopOnError && c.MaxErrors.Set:
		return fmt.Errorf("errors: ending at the first one and after %v contradict each other", c.MaxErrors)
	case c.Cluster && c.InProcess:
		return fmt.Errorf("cluster: the embedded server is none")
	case c.Cluster && c.Dialer.DB != 0:
		return fmt.Errorf("database: a cluster has database 0 alone, not %d", c.Dialer.DB)
	case c.Cluster && c.Dialer.Network == "unix":
		return fmt.Errorf("cluster: its nodes are reached by TCP, not by a unix socket")
	case c.Cluster && slices.ContainsFunc(c.Templates, func(t Template) bool { return t.Program.IsWhole() }):
		return fmt.Errorf("cluster: where the keys of these commands are is not known, so they cannot be sent to the nodes of their slots; leave it out and name one node")
	case !c.Cluster && c.ReadFrom != ReadPrimary:
		return fmt.Errorf("read from %v: only a cluster has nodes to choose from", c.ReadFrom)
	case !c.Cluster && !c.AddressMap.Empty():
		return fmt.Errorf("address map: only a cluster tells addresses")
	}
	return nil
}

// tooManyErrors is why the errors so far end the phase, or nil.
func (g *gatherer) tooManyErrors() error {
	limit := g.phase.maxErrors
	failed := g.out.total.Failed()
	answered := g.out.total.Succeeded() + failed
	switch {
	case !limit.Set || failed == 0:
		return nil
	case limit.Percent > 0:
		const enough = 100 // replies, for a share to mean something
		if share := 100 * float64(failed) / float64(answered); answered >= enough && share > limit.Percent {
			return g.failedBy("--max-errors "+limit.String(), share, "percent")
		}
		return nil
	case failed > limit.Count:
		return g.failedBy("--max-errors "+limit.String(), float64(failed), "count")
	}
	return nil
}

// oneTooMany is what ends a phase at the error that was one too many.
func (g *gatherer) oneTooMany() error {
	g.gather()
	if cause := g.tooManyErrors(); cause != nil {
		return cause
	}
	return g.failedBy("--on-error stop", float64(g.out.total.Failed()), "count")
}

// failedBy ends a phase because of its errors.
func (g *gatherer) failedBy(text string, measured float64, unit string) error {
	return &abortError{report.Abort{
		Text: text, Measured: measured, Unit: unit, AtNs: clock.Now() - g.out.total.FirstSentNs, Failure: true,
	}}
}
