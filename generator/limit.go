package generator

import (
	"cmp"
	"fmt"
	"net"

	"github.com/respbench/respbench/report"
)

// limit thinks about who bounded the throughput: whoever had no CPU left.
func limit(r *report.Result, a advice) report.Limit {
	const (
		full  = 0.9
		brief = 200e6 // ns; CPU times are too coarse for a shorter window
	)
	if r.Workload.Idle {
		return report.Limit{Who: "unknown", Why: "nothing was sent"}
	}
	if r.WindowNs < brief {
		return report.Limit{Who: "unknown", Why: "the run was too short to tell"}
	}
	if r.Target.Embedded {
		return report.Limit{Who: "unknown", Why: "client and server share one process"}
	}
	window := float64(r.WindowNs)
	client := float64(r.Client.LoopCPUNs) / window
	server, told := serverShare(r)
	cpus := float64(r.Client.UsableCPUs)
	if reached(r) {
		return report.Limit{Who: "rate", Why: fmt.Sprintf("it was reached as asked; the busiest core is at %.0f %%", 100*max(client, server))}
	}
	switch {
	case client >= full && server >= full:
		return report.Limit{Who: "machine", Why: "client and server both have a full core"}
	case server >= full:
		left := max(0, cpus-float64(r.Client.CPUNs)/window)
		return report.Limit{Who: "server", Why: fmt.Sprintf("its core is full, the client has %.1f cores left", left)}
	case client >= full:
		return report.Limit{Who: "client", Why: fmt.Sprintf("its busiest event loop used %.0f %% of a core", 100*client)}
	case r.Client.MachineCPUs > 0 && float64(r.Client.MachineCPUNs)/window >= full*float64(r.Client.MachineCPUs):
		return report.Limit{Who: "machine", Why: busyMachine(r, server, told)}
	case !told:
		return report.Limit{Who: "unknown", Why: "the server does not tell its CPU time, and the client has some left"}
	}
	busiest := fmt.Sprintf("no core is full, the busiest is at %.0f %%: ", 100*max(client, server))
	if r.Workload.Tuned {
		return report.Limit{Who: "neither", Why: busiest + "the rate is bounded by waiting, and tuning found no number of connections that brings more"}
	}
	return report.Limit{Who: "neither", Why: busiest + "the rate is bounded by waiting; " + a.more()}
}

// serverShare is how much of one core the server's main thread used, or all
// of it where it does not tell that apart.
func serverShare(r *report.Result) (share float64, told bool) {
	ns := cmp.Or(r.Server.MainCPUNs, r.Server.CPUNs)
	if ns == nil {
		return 0, false
	}
	return float64(*ns) / float64(r.WindowNs), true
}

// busyMachine says who uses the CPUs that this program may run on, in cores.
// Where there are others, the server may run on those; and what it uses is told
// or not.
func busyMachine(r *report.Result, server float64, told bool) string {
	c := &r.Client
	window := float64(r.WindowNs)
	client := float64(c.CPUNs) / window
	others := float64(c.MachineCPUNs)/window - client
	here := local(r.Target.Address)
	whose, are := "its", "CPUs are"
	if c.Confined {
		whose = "the client's"
	}
	if c.MachineCPUs == 1 {
		are = "CPU is"
	}
	text := fmt.Sprintf("%s %d %s full: the client uses %.1f, ", whose, c.MachineCPUs, are, client)
	switch {
	case here && (c.Confined || !told):
		return text + fmt.Sprintf("the server and other programs %.1f", max(0, others))
	case here:
		return text + fmt.Sprintf("the server %.1f, other programs %.1f", server, max(0, others-server))
	}
	return text + fmt.Sprintf("other programs %.1f", max(0, others))
}

// local tells whether an address is on this machine.
func local(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return true // the path of a socket
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
