package generator

import (
	"cmp"
	"fmt"
	"net"

	"github.com/respbench/respbench/report"
)

// limit thinks about who bounded the throughput: whoever had no CPU left.
func limit(r *report.Result) report.Limit {
	const (
		full  = 0.9
		brief = 200e6 // ns; CPU times are too coarse for a shorter window
	)
	if r.WindowNs < brief {
		return report.Limit{Who: "unknown", Why: "the run was too short to tell"}
	}
	if r.Target.Embedded {
		return report.Limit{Who: "unknown", Why: "client and server share one process"}
	}
	window := float64(r.WindowNs)
	client := float64(r.Client.LoopCPUNs) / window
	serverNs := cmp.Or(r.Server.MainCPUNs, r.Server.CPUNs)
	if serverNs == nil {
		if client >= full {
			return report.Limit{Who: "client", Why: fmt.Sprintf("its busiest event loop used %.0f %% of a core", 100*client)}
		}
		return report.Limit{Who: "unknown", Why: "the server does not tell its CPU time, and the client has some left"}
	}
	server := float64(*serverNs) / window
	left := float64(r.Client.UsableCPUs) - float64(r.Client.CPUNs)/window
	switch {
	case client >= full && server >= full:
		return report.Limit{Who: "machine", Why: "client and server both have a full core"}
	case server >= full:
		return report.Limit{Who: "server", Why: fmt.Sprintf("its core is full, the client has %.1f cores left", max(0, left))}
	case client >= full:
		return report.Limit{Who: "client", Why: fmt.Sprintf("its busiest event loop used %.0f %% of a core, the server %.0f %%", 100*client, 100*server)}
	case local(r.Target.Address) && left < server+1-full:
		return report.Limit{Who: "machine", Why: fmt.Sprintf("client and server share its %d CPUs and together fill them", r.Client.UsableCPUs)}
	}
	return report.Limit{Who: "neither", Why: fmt.Sprintf("the busiest core was used to %.0f %%; more connections or a deeper pipeline would bring more", 100*max(client, server))}
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
