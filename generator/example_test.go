package generator_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/template"
)

// A run sends exactly as many requests as it is told to, and its result says
// what became of them.
func ExampleRun() {
	server := miniredis.NewMiniRedis()
	if err := server.Start(); err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	program, err := template.Parse("SET <key sequence 100> <value 64>")
	if err != nil {
		log.Fatal(err)
	}
	result, err := generator.Run(context.Background(), generator.Config{
		Templates:   generator.Only(program),
		Dialer:      conn.Dialer{Address: server.Addr()},
		Connections: 8,
		Requests:    1000,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Requests.Succeeded, "succeeded,", result.Requests.Failed, "failed")
	fmt.Println(len(server.Keys()), "keys")
	// Output:
	// 1000 succeeded, 0 failed
	// 100 keys
}

// A suite runs its tests on every target; the figures of each are whole
// results.
func ExampleRunSuite() {
	server := miniredis.NewMiniRedis()
	if err := server.Start(); err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	suite, err := generator.BuiltinSuite("whitepaper")
	if err != nil {
		log.Fatal(err)
	}
	if suite, err = suite.Select([]string{"set", "get"}, nil); err != nil {
		log.Fatal(err)
	}
	result, err := generator.RunSuite(context.Background(), generator.SuiteConfig{
		Suite:   suite,
		Targets: []generator.SuiteTarget{{Name: "here", Dialer: conn.Dialer{Address: server.Addr()}}},
		Load:    generator.SuiteLoad{Duration: 50 * time.Millisecond},
		Scale:   0.0001,
		Flush:   generator.FlushYes,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, test := range result.Tests {
		median := test.Cells[0].Median()
		fmt.Println(test.Name, median.RatePerSec > 0, median.Requests.Empty, "empty replies")
	}
	// Output:
	// SET true 0 empty replies
	// GET true 0 empty replies
}

// A suite may also be written in Go.
func ExampleSuite() {
	suite := &generator.Suite{
		Name:   "counters",
		Scaled: map[string]generator.ScaledNumber{"counters": {Full: 1_000_000}},
		Tests: []generator.SuiteTest{
			{Name: "incr", Template: "INCR ${prefix}<key zipfian ${counters}>"},
			{Name: "incrby", Template: "INCRBY ${prefix}<key zipfian ${counters}> <rand 100>"},
		},
	}
	fmt.Println(suite.Validate())

	suite.Tests[1].Template = "INCRBY ${prefix}<key zipfian ${counter}> 5"
	fmt.Println(suite.Validate())
	// Output:
	// <nil>
	// test "incrby": "${counter}" is none of ${counters}, ${prefix}; to send it as text, write $\{
}
