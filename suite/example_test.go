package suite_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/suite"
)

// A suite runs its tests on every target; the figures of each are whole
// results.
func ExampleRun() {
	server := miniredis.NewMiniRedis()
	if err := server.Start(); err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	whitepaper, err := suite.Builtin("whitepaper")
	if err != nil {
		log.Fatal(err)
	}
	if whitepaper, err = whitepaper.Select([]string{"set", "get"}, nil); err != nil {
		log.Fatal(err)
	}
	result, err := suite.Run(context.Background(), suite.Config{
		Suite:   whitepaper,
		Targets: []suite.Target{{Name: "here", Dialer: conn.Dialer{Address: server.Addr()}}},
		Load:    suite.Load{Duration: 50 * time.Millisecond},
		Scale:   0.0001,
		Flush:   suite.FlushYes,
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
	counters := &suite.Suite{
		Name:   "counters",
		Scaled: map[string]suite.ScaledNumber{"counters": {Full: 1_000_000}},
		Tests: []suite.Test{
			{Name: "incr", Template: "INCR ${prefix}<key zipfian ${counters}>"},
			{Name: "incrby", Template: "INCRBY ${prefix}<key zipfian ${counters}> <rand 100>"},
		},
	}
	fmt.Println(counters.Validate())

	counters.Tests[1].Template = "INCRBY ${prefix}<key zipfian ${counter}> 5"
	fmt.Println(counters.Validate())
	// Output:
	// <nil>
	// test "incrby": "${counter}" is none of ${counters}, ${prefix}; to send it as text, write $\{
}
