package generator_test

import (
	"context"
	"fmt"
	"log"

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
