package report

import (
	"strconv"
	"strings"
)

// sampleRun is a run of a suite.
func sampleRun(template string, perSecond float64, avg, p99 int64) *Result {
	r := fullRun()
	r.Workload.Template = template
	r.RatePerSec = perSecond
	r.Latency.AvgNs = avg
	r.Latency.Percentiles[2].Ns = p99
	return r
}

// compared is a suite of two tests on two targets, as far as the published
// table has them.
func compared() *SuiteResult {
	s := &SuiteResult{
		Schema: Schema, Kind: KindSuite, Version: "0.1.0", StartedAt: fullRun().StartedAt,
		Suite: SuiteWorkload{Name: "whitepaper", Note: "two of its tests", Scale: 0.01, Repeat: 1, Flush: "yes", Seed: 8231},
		Targets: []SuiteTarget{
			{Name: "redis", Target: Target{Address: "127.0.0.1:6379", Protocol: 2}, Left: &SuiteLeft{Emptied: true}},
			{Name: "valkey 8", Target: Target{Address: "127.0.0.1:6380", Protocol: 2}, Left: &SuiteLeft{Emptied: true}},
		},
		Warnings: []string{},
	}
	get, set := "GET <key uniform 100000>", "SET <key uniform 100000> <value 64>"
	s.Tests = []SuiteTest{
		{Name: "SET", Template: set, Cells: []SuiteCell{
			{"redis", []SuiteRun{{Measured: sampleRun(set, 142_376.3, 450_000, 720_000)}}},
			{"valkey 8", []SuiteRun{{Measured: sampleRun(set, 282_656.1, 450_000, 860_000)}}},
		}},
		{
			Name: "GET", Template: get, Preload: []SuitePreload{{"SET <key sequence 100000> <value 64>", 100_000}},
			Cells: []SuiteCell{
				{"redis", []SuiteRun{{Preload: []Result{*loadRun()}, Measured: sampleRun(get, 204_690, 310_000, 470_000)}}},
				{"valkey 8", []SuiteRun{{Preload: []Result{*loadRun()}, Measured: sampleRun(get, 519_761, 240_000, 360_000)}}},
			},
		},
	}
	for r := range s.Results() {
		if r.RatePerSec > 250_000 && !r.Workload.Load {
			r.Target.Address, r.Server.Name, r.Server.Version = "127.0.0.1:6380", "valkey", "8.0.1"
			r.Limit = Limit{Who: "client", Why: "its busiest event loop used 99 % of a core"}
			r.Warnings = []string{"The client was the limit: give it more event loops."}
		}
	}
	return s
}

// besides is a suite with a test of two lanes, and data.
func besides() *SuiteResult {
	s := compared()
	both := "HSET doc:<field id> title <field title>\nHGETALL doc:<field id>"
	row := SuiteTest{Name: "both", Note: "write and read at once", Template: both}
	for i, target := range s.Targets {
		r := sampleRun(both, 150_000, 400_000, 700_000)
		r.Workload.Data = []Data{{Name: "wiki", File: "abstracts.xml", Rows: 40, Order: "sequence"}}
		write, read := *r.Latency, *r.Latency
		write.AvgNs, read.AvgNs = 512_000, 298_000
		r.Lanes = []Lane{
			{Name: "write", Template: "HSET doc:<field id> title <field title>", Connections: 8, Pipeline: 1, RatePerSec: 50_000, Latency: &write, Errors: []ErrorClass{}, Intervals: []Interval{}},
			{Name: "read", Template: "HGETALL doc:<field id>", Connections: 8, Pipeline: 1, RatePerSec: 100_000, Latency: &read, Errors: []ErrorClass{}, Intervals: []Interval{}},
		}
		r.Server.UsedMemory = &Delta{Before: 3_000_000, After: 3_900_000} // too little to tell
		if i == 1 {
			r.Lanes[1].RatePerSec, r.Lanes[0].Latency = 150_000, nil
		}
		row.Cells = append(row.Cells, SuiteCell{target.Name, []SuiteRun{{Measured: r}}})
	}
	s.Tests = append(s.Tests, row, writing(s.Targets))
	return s
}

// writing is a test that writes every row of a file once: as a key each on the
// first target, and into one key on the second.
func writing(targets []SuiteTarget) SuiteTest {
	const rows = 1_000_000
	row := SuiteTest{Name: "write", Template: "HSET doc:<field id> title <field title>"}
	for i, target := range targets {
		r := sampleRun(row.Template, 150_000, 400_000, 700_000)
		r.Workload.Data = []Data{{Name: "wiki", File: "abstracts.xml", Rows: rows, Order: "sequence"}}
		r.Workload.Requests, r.Requests = rows, Requests{Sent: rows, Succeeded: rows}
		r.Server.UsedMemory = &Delta{Before: 3_000_000, After: 1_093_000_400}
		r.Server.Dataset, r.Server.Keys = &Delta{Before: 1_000_000, After: 1_000_000_000}, &Delta{Before: 5, After: 5 + rows}
		if i == 1 {
			r.Server.Dataset, r.Server.Keys = nil, &Delta{Before: 0, After: 1}
		}
		row.Cells = append(row.Cells, SuiteCell{target.Name, []SuiteRun{{Measured: r}}})
	}
	return row
}

// repeated is one target without a name, three runs of each test.
func repeated() *SuiteResult {
	s := compared()
	s.Suite.Repeat, s.Suite.Scale, s.Suite.Flush = 3, 1, "no"
	s.Targets = s.Targets[:1]
	s.Targets[0].Name = ""
	s.Targets[0].Left = &SuiteLeft{Keys: 2_000_000, Pattern: "respbench:8231:*", Foreign: []string{"mine"}}
	for t := range s.Tests {
		test := &s.Tests[t]
		test.Cells = test.Cells[:1]
		test.Cells[0].Target = ""
		first := test.Cells[0].Runs[0]
		for _, factor := range []float64{1.04, 0.97} {
			next := first
			next.Measured = sampleRun(test.Template, first.Measured.RatePerSec*factor, first.Measured.Latency.AvgNs+1000, ms(0.9))
			test.Cells[0].Runs = append(test.Cells[0].Runs, next)
		}
		for k := range test.Cells[0].Runs {
			test.Cells[0].Runs[k].Prefix = "respbench:8231:" + test.Name + "." + strconv.Itoa(k+1) + ":"
		}
	}
	return s
}

// troubled is a suite that met everything that can go wrong.
func troubled() *SuiteResult {
	s := compared()
	s.Interrupted = "SIGINT"
	s.Warnings = []string{"Something to know of the whole suite."}
	s.Targets[1].Left = &SuiteLeft{Problem: "the database was not emptied at the end: broken pipe"}
	failed := failedRun()
	failed.Workload.Template = `ZADD "a,b" | ` + "`x`\n<rand 5>"
	s.Tests[0].Cells[1].Runs = []SuiteRun{{Problem: "nothing succeeded: ERR unknown command 'SET' \x1b[2J (5 error replies, no other)"}}
	s.Tests[1].Cells[0].Runs[0].Measured = errorsRun()
	s.Tests[1].Cells[1].Runs = []SuiteRun{}
	s.Tests = append(s.Tests,
		SuiteTest{Name: "odd", Note: "quotes, commas | and bars", Template: failed.Workload.Template, Prepare: []string{"SCRIPT LOAD \"return 1\""}, Cells: []SuiteCell{
			{"redis", []SuiteRun{{Measured: failed, Problem: "a, \"b\"\nc"}}}, {"valkey 8", []SuiteRun{}},
		}},
	)
	short := interruptedRun()
	s.Tests = append(s.Tests, SuiteTest{Name: "cut", Template: short.Workload.Template, Cells: []SuiteCell{
		{"redis", []SuiteRun{{Measured: short}}}, {"valkey 8", []SuiteRun{}},
	}})
	return s
}

// three are more targets than fit side by side.
func three() *SuiteResult {
	s := repeated()
	s.Targets = nil
	for i, name := range []string{"one", "two", "three with a long name"} {
		s.Targets = append(s.Targets, SuiteTarget{Name: name, Target: Target{Address: "127.0.0.1:" + strconv.Itoa(6379+i), Protocol: 2}})
	}
	for t := range s.Tests {
		cell := s.Tests[t].Cells[0]
		s.Tests[t].Cells = nil
		for _, target := range s.Targets {
			cell.Target = target.Name
			s.Tests[t].Cells = append(s.Tests[t].Cells, cell)
		}
	}
	return s
}

// mixedSuite is a test of two templates between two of one, on two targets, of
// which the second has no figure of the mix's writes.
func mixedSuite() *SuiteResult {
	s := compared()
	s.Suite.Flush = "no"
	read, write := "HGETALL ${prefix}user<int zipfian 0.99 100000>", "HSET ${prefix}user<int zipfian 0.99 100000> field<rand 10> <value 100>"
	mixed := SuiteTest{
		Name: "B", Note: "read mostly", Template: read + "\n" + write,
		Prepare: []string{"FT.CREATE ${prefix}idx SCHEMA a TEXT"}, Cleanup: []string{"FT.DROPINDEX ${prefix}idx"},
	}
	for i, target := range s.Targets {
		prefix := "respbench:823" + strconv.Itoa(i) + ":B.1:"
		r := sampleRun(mixed.Template, 100_000*float64(i+1), 500_000, 900_000)
		for k, text := range []string{read, write} {
			latency := *r.Latency
			part := Part{
				Template: strings.ReplaceAll(text, "${prefix}", prefix), Weight: 95 - 90*k,
				Sent: 1000, Succeeded: 1000, RatePerSec: r.RatePerSec * (0.95 - 0.9*float64(k)), Latency: &latency, Errors: []ErrorClass{},
			}
			if i == 1 && k == 1 {
				part.Succeeded, part.RatePerSec, part.Latency = 0, 0, nil
			}
			r.Parts = append(r.Parts, part)
		}
		mixed.Cells = append(mixed.Cells, SuiteCell{target.Name, []SuiteRun{{Prefix: prefix, Measured: r}}})
	}
	s.Tests = append(s.Tests[:1], mixed, s.Tests[1])
	return s
}
