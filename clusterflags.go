package main

import (
	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
)

// clusterFlags say how a cluster is followed.
type clusterFlags struct {
	Cluster    bool               `group:"server" help:"Send every command to the node of a cluster that serves its key."`
	ReadFrom   generator.ReadFrom `group:"server" default:"primary" placeholder:"NODES" help:"Who serves reads: primary, replica or any (primary)."`
	MapAddress []string           `name:"map-address" sep:"none" group:"server" placeholder:"FROM=TO" help:"How an address that the cluster tells is reached: host:port=host:port, or host=host. Repeatable."`
}

// set makes of the flags what the generator wants.
func (f *clusterFlags) set(cfg *generator.Config) (err error) {
	cfg.ClusterShape, err = f.shape()
	return err
}

func (f *clusterFlags) shape() (generator.ClusterShape, error) {
	addresses, err := conn.ParseAddressMap(f.MapAddress)
	if err != nil {
		err = usagef("--map-address %w", err)
	}
	return generator.ClusterShape{Cluster: f.Cluster, ReadFrom: f.ReadFrom, AddressMap: addresses}, err
}

// faultFlags say what is done about faults.
type faultFlags struct {
	OnError        string               `group:"faults" default:"continue" placeholder:"WHAT" help:"After an error reply: continue or stop (continue)."`
	MaxErrors      generator.ErrorLimit `group:"faults" placeholder:"N|N%" help:"End after more error replies: 100, or a share of all, 0.5%."`
	Reconnect      bool                 `group:"faults" help:"Make broken connections again, however often it takes unless they are refused for good, and send again what was in flight on them."`
	Timeout        *duration            `group:"faults" placeholder:"TIME" help:"A reply that takes longer is an error, and its connection is made again (any time)."`
	ConnMaxAge     *duration            `group:"faults" placeholder:"TIME" help:"Make each connection anew after so long, more or less by a tenth."`
	ReconnectEvery *count               `group:"faults" placeholder:"N" help:"Make each connection anew after so many requests."`
	Idle           bool                 `group:"faults" help:"Hold the connections (-c) without sending anything."`
}

// set makes of the flags what the generator wants.
func (f *faultFlags) set(cfg *generator.Config) error {
	switch f.OnError {
	case "continue":
	case "stop":
		cfg.StopOnError = true
	default:
		return usagef("--on-error %s: must be continue or stop", f.OnError)
	}
	cfg.MaxErrors, cfg.Reconnect, cfg.Idle = f.MaxErrors, f.Reconnect, f.Idle
	for _, t := range []timeFlag{{"--timeout", f.Timeout, &cfg.Timeout}, {"--conn-max-age", f.ConnMaxAge, &cfg.ConnMaxAge}} {
		if err := t.set(); err != nil {
			return err
		}
	}
	return countFlag{"--reconnect-every", f.ReconnectEvery, 1, func(n count) { cfg.ReconnectEvery = int64(n) }}.set()
}
