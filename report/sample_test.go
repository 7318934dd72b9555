package report

import (
	"math"
	"strings"
	"time"
)

// The results that the golden files show. Each call gives a fresh one.

func ptr[T any](v T) *T { return &v }

func ms(f float64) int64 { return int64(math.Round(f * 1e6)) }

// fullRun is the run that the manual shows.
func fullRun() *Result {
	return &Result{
		Schema:    Schema,
		Kind:      KindRun,
		Version:   "0.1.0",
		StartedAt: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC),
		Workload: Workload{
			Template:    "SET <key uniform 10000000> <value 64>",
			Connections: 64,
			Pipeline:    1,
			DurationNs:  20_000_000_000,
			IntervalNs:  1e9,
			Percentiles: []float64{50, 90, 99, 99.9},
			Threads:     2,
			Seed:        8231,
		},
		Target:     Target{Address: "127.0.0.1:6379", Protocol: 2},
		WindowNs:   20_000_104_512,
		RatePerSec: 142_376.3,
		Requests:   Requests{Sent: 2_847_541, Succeeded: 2_847_541},
		Latency: &Latency{
			Count: 2_847_541,
			AvgNs: 443_277, MinNs: 81_204, MaxNs: 8_123_411,
			Percentiles: []Percentile{
				{50, 412_415}, {90, 611_839}, {99, 722_431}, {99.9, 1_935_359},
			},
			Histogram: "HISTFAAAAEl42pJpmSzMwMCgwAABzFCakYGB2c1gxwIG+w8QgefFTJcVj7xZxniZ+dXijL2cHTN01zJ/OCq7W/zAPcadikyAAAAA///tmhO/",
		},
		Errors:  []ErrorClass{},
		Connect: Connect{Count: 64, AvgNs: ms(3.14), MaxNs: ms(8.2)},
		Traffic: Traffic{SentBytes: 298_991_805, ReceivedBytes: 14_240_000},
		Client:  Client{CPUNs: 24_800_000_000, LoopCPUNs: 11_900_000_000, UsableCPUs: 2, MachineCPUNs: 39_600_000_000, GCs: 3, System: "linux/amd64"},
		Server: Server{
			Name: "redis", Version: "7.0.15", Mode: "standalone", Persistence: "no persistence",
			IOThreads:  1,
			UsedMemory: &Delta{Before: 120_000_000, After: 512_000_000},
			Keys:       &Delta{Before: 0, After: 2_477_331},
			Hits:       ptr(int64(0)), Misses: ptr(int64(0)),
			Evicted: ptr(int64(0)), Expired: ptr(int64(0)),
			CPUNs: ptr(int64(19_800_000_000)),
		},
		Limit: Limit{Who: "server", Why: "its core is full, the client has 0.8 cores left"},
		Intervals: []Interval{
			{StartNs: 0, LengthNs: 1e9, Succeeded: 141_022, P50Ns: ptr(ms(0.41)), P99Ns: ptr(ms(0.72)), MaxNs: ptr(int64(8_123_411))},
			{StartNs: 1e9, LengthNs: 1e9, Succeeded: 142_611, P50Ns: ptr(ms(0.41)), P99Ns: ptr(ms(0.72)), MaxNs: ptr(ms(2.9))},
		},
		Warnings: []string{},
	}
}

func errorsRun() *Result {
	r := fullRun()
	r.Workload.Template = "GET <key uniform 10000000>"
	r.Requests = Requests{Sent: 2_848_873, Succeeded: 2_847_541, Failed: 1_204, Unanswered: 127, Lost: 1, Empty: 196_479}
	r.Errors = []ErrorClass{
		{Code: "OOM", Count: 1_201, Sample: "OOM command not allowed when used memory > 'maxmemory'.", FirstNs: ms(3_140), LastNs: ms(19_950)},
		{Code: "ERR", Count: 2, Sample: "ERR \x1b[2J\x1b]0;owned\x07 bad\r\nthing", FirstNs: ms(4), LastNs: ms(5)},
		{Code: "LOADING", Count: 1, Sample: "LOADING", FirstNs: 0, LastNs: 0},
	}
	r.Server.MaxMemory = 2_000_000_000
	r.Server.Evicted, r.Server.Expired = ptr(int64(31)), ptr(int64(4_402))
	r.Server.Hits, r.Server.Misses = ptr(int64(2_651_062)), ptr(int64(196_479))
	r.Server.Notes = []string{"CONFIG GET was refused: NOPERM this user has no permissions to run the 'config|get' command"}
	r.Warnings = []string{
		"31 keys were evicted during the run, so later reads found less; raise maxmemory or use fewer keys.",
		"the server refused 1,201 writes for want of memory.",
	}
	return r
}

func openRun() *Result {
	r := fullRun()
	r.RatePerSec = 20_000
	r.WindowNs = 20_000_000_000
	r.Requests = Requests{Sent: 399_988, Succeeded: 399_988}
	r.Latency.Count = 399_988
	service, lag := *r.Latency, *r.Latency
	service.AvgNs, service.MaxNs = 401_002, 7_001_411
	lag.AvgNs, lag.MaxNs = 2_031, 912_441
	lag.Percentiles = []Percentile{{50, 1_203}, {90, 3_001}, {99, 21_007}, {99.9, 88_063}}
	r.OpenLoop = &OpenLoop{RatePerSec: 20_000, Arrivals: "poisson", Missed: 12, Service: &service, SendLag: &lag}
	r.Workload.Pipeline = 256
	return r
}

// mixRun sends two templates, over TLS and with client-side caching.
func mixRun() *Result {
	r := openRun()
	r.Target.TLS, r.Target.Protocol, r.Traffic.Pushes = "1.3", 3, 120_417
	reads, writes := *r.Latency, *r.Latency
	reads.Count, writes.Count, writes.AvgNs = 259_993, 139_995, 481_004
	r.Workload.Template = "GET <key uniform 10000000>\nSET <key uniform 10000000> <value 64>"
	r.Parts = []Part{
		{Template: "GET <key uniform 10000000>", Weight: 65, Sent: 259_993, Succeeded: 259_993, RatePerSec: 13_000, Latency: &reads, Errors: []ErrorClass{}},
		{Template: "SET <key uniform 10000000> <value 64>", Weight: 35, Sent: 139_995, Succeeded: 139_995, RatePerSec: 7_000, Latency: &writes, Errors: []ErrorClass{}},
	}
	return r
}

func loadRun() *Result {
	r := fullRun()
	r.Workload.Template = "SET <key sequence 10000000> <value 64>"
	r.Workload.Load, r.Workload.Requests, r.Workload.DurationNs = true, 10_000_000, 0
	r.Workload.Pipeline = 10
	r.WindowNs, r.RatePerSec = 31_000_000_000, 322_580.6
	r.Requests = Requests{Sent: 10_000_000, Succeeded: 10_000_000}
	r.Server.UsedMemory = &Delta{Before: 120_000_000, After: 1_520_000_000}
	r.Server.Dataset = &Delta{Before: 1_000_000, After: 1_281_000_000}
	r.Server.Keys = &Delta{After: 10_000_000}
	r.Traffic = Traffic{SentBytes: 1_120_000_000, ReceivedBytes: 50_000_000}
	return r
}

// dataRun takes rows of two files.
func dataRun() *Result {
	r := loadRun()
	r.Workload.Template = "HSET doc:<field wiki.id> title <field wiki.title> by <field people.name>"
	r.Workload.Data = []Data{
		{Name: "wiki", File: "abstracts.xml.gz", Rows: 10_000_000, BadRows: 3, Order: "sequence"},
		{File: "-", Rows: 1, Order: "zipfian"},
	}
	r.Warnings = []string{"3 rows of abstracts.xml.gz were left out; the first: line 7: the element is never closed."}
	return r
}

func loadErrorsRun() *Result {
	r := loadRun()
	r.Requests = Requests{Sent: 6_000_000, Succeeded: 5_900_000, Failed: 99_990, Unanswered: 10}
	r.Errors = errorsRun().Errors[:1]
	r.Errors[0].Count = 99_990
	r.Interrupted = "SIGTERM"
	return r
}

func embeddedRun() *Result {
	r := fullRun()
	r.Target = Target{Address: "127.0.0.1:41877", Protocol: 2, Embedded: true}
	r.Server = Server{Notes: []string{"the in-process server does not tell its CPU time"}}
	r.Warnings = []string{"the server runs inside respbench; its figures say nothing about any other."}
	return r
}

func interruptedRun() *Result {
	r := fullRun()
	r.Interrupted = "SIGINT"
	r.WindowNs = 3_204_000_000
	r.Requests = Requests{Sent: 456_310, Succeeded: 456_183, Unanswered: 127}
	r.Client.CPUNs, r.Server.CPUNs = 3_973_000_000, ptr(int64(3_172_000_000))
	r.Traffic = Traffic{SentBytes: 58_400_000, ReceivedBytes: 2_281_000}
	return r
}

func tunedRun() *Result {
	r := fullRun()
	r.Workload.Tuned, r.Workload.WarmupNs, r.Workload.Cores = true, 5e9, []int{0, 2}
	r.Target = Target{Address: "/run/redis/redis.sock", User: "bench", DB: 3, Protocol: 3}
	r.Server.IOThreads, r.Server.CPUNs, r.Server.MainCPUNs = 4, ptr(int64(68_000_000_000)), ptr(int64(19_500_000_000))
	r.Connect.Count = 120
	for i, perSecond := range []float64{950, 21_000, 38_000, 60_300, 96_000, 120_000, 138_000, 142_400, 1_142_900} {
		r.Tuning = append(r.Tuning, TuningStep{Connections: 1 << i, RatePerSec: perSecond})
	}
	r.Limit = Limit{Who: "neither", Why: "the rate stopped growing while the server used 3.4 of its 4 cores and the client had one core left, so what lies between them is the likely cause"}
	return r
}

func failedRun() *Result {
	r := fullRun()
	r.WindowNs, r.RatePerSec = 412_000_000, 0
	r.Requests = Requests{Sent: 512, Failed: 512}
	r.Latency = nil
	r.Errors = []ErrorClass{{Code: "NOAUTH", Count: 512, Sample: "NOAUTH Authentication required.", LastNs: ms(411)}}
	r.Server = Server{Notes: []string{"INFO was refused: NOAUTH Authentication required."}}
	r.Limit = Limit{}
	return r
}

func longTemplateRun() *Result {
	r := fullRun()
	r.Workload.Template = `JSON.SET doc:<rand 1000> $ '{"title":"` + strings.Repeat("<value 100> and then some; ", 60) + `ende \x1b[31m` + "\x1b[31m\u202e\xff" + `"}'`
	return r
}

func tinyRun() *Result {
	r := fullRun()
	r.WindowNs, r.RatePerSec = 93_000, 10_752.7
	r.Requests = Requests{Sent: 1, Succeeded: 1}
	r.Workload.Connections, r.Workload.Threads, r.Connect = 1, 1, Connect{Count: 1, AvgNs: 61_000, MaxNs: 61_000}
	r.Latency = &Latency{
		Count: 1, AvgNs: 41_300, MinNs: 41_300, MaxNs: 41_300,
		Percentiles: []Percentile{{50, 300}, {99.99, 4_100}, {99.991, 41_300}, {99.9999, 41_300}, {100, 41_300}},
	}
	r.Workload.Percentiles = []float64{50, 99.99, 99.991, 99.9999, 100}
	r.Traffic = Traffic{SentBytes: 14, ReceivedBytes: 7}
	return r
}

func hugeRun() *Result {
	r := fullRun()
	r.WindowNs, r.RatePerSec = 3*3600*1e9+12*60*1e9, 0.0215
	r.Requests = Requests{Sent: 247, Succeeded: 247, Empty: 12}
	r.Server.Hits, r.Server.Misses = nil, nil
	r.Latency.Count, r.Latency.OverRange = 247, 2
	r.Latency.AvgNs, r.Latency.MinNs, r.Latency.MaxNs = ms(1_904_120), ms(2_001.2), ms(4_000_123)
	r.Latency.Percentiles = nil
	r.Warnings = []string{"2 latencies exceed the histogram's range; they count, and only average and maximum are exact for them."}
	r.Workload.Percentiles = []float64{1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99}
	for _, p := range r.Workload.Percentiles {
		r.Latency.Percentiles = append(r.Latency.Percentiles, Percentile{p, ms(2_001.2 + p*36_000)})
	}
	return r
}
