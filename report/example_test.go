package report_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/respbench/respbench/report"
)

// A recorder counts while requests are answered, and describes them in the
// end.
func ExampleRecorder() {
	r := report.NewRecorder()
	for ms := int64(1); ms <= 100; ms++ {
		r.Record(ms*1e6, 1)
	}
	r.Fail([]byte("OOM"), []byte("OOM command not allowed"), 0)
	latency := r.Latency([]float64{50, 99})
	fmt.Println(latency.Count, latency.AvgNs, latency.MaxNs)
	for _, p := range latency.Percentiles {
		fmt.Printf("p%v %.0f ms\n", p.Percent, float64(p.Ns)/1e6)
	}
	fmt.Println(r.ErrorClasses(0)[0].Code)
	// Output:
	// 100 50500000 100000000
	// p50 50 ms
	// p99 99 ms
	// OOM
}

// A result file in JSON can be drawn again in every other form.
func ExampleRead() {
	file := strings.NewReader(`{
		"schema": "respbench/1", "kind": "run",
		"workload": {"template": "SET <key uniform 1000> <value 64>", "connections": 32, "pipeline": 1, "threads": 1, "seed": "7"},
		"target": {"address": "127.0.0.1:6379"},
		"window_ns": 2000000000, "rate_per_sec": 120000,
		"requests": {"sent": 240000, "succeeded": 240000},
		"latency": {"count": 240000, "avg_ns": 260000, "max_ns": 2100000, "percentiles": [{"percent": 99, "ns": 540000}]}
	}`)
	result, err := report.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Summary(os.Stdout, result, report.TextOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// SET <key uniform 1000> <value 64>
	// 127.0.0.1:6379; 32 connections, pipeline 1, 1 thread, seed 7
	//
	//   120,000 requests/s      240,000 requests in 2.0 s, no errors
	//
	//   latency ms    avg    p99    max
	//                0.26   0.54   2.10
	//
	//   client   sent 0.00, received 0.00 B/s
}

// The extension of an output is its format.
func ExampleParseOutput() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	output, err := report.ParseOutput(filepath.Join(dir, "run.csv"))
	if err != nil {
		log.Fatal(err)
	}
	result := &report.Result{Workload: report.Workload{Template: "PING"}, RatePerSec: 7}
	if err := output.Write(os.Stdout, result); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(output.Path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(string(text), "\r\n"), "lines")

	_, err = report.ParseOutput("run.xls")
	fmt.Println(err)
	// Output:
	// 2 lines
	// output "run.xls": unknown format ".xls", known are .json, .csv, .md, .txt, .hgrm, .bench
}
