package generator

import (
	"bufio"
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// TestDeal: every client has one connection to each node, whatever was made.
func TestDeal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		made          []int // connections, by node
		clients, rest int
	}{
		{[]int{3}, 3, 0}, {[]int{0}, 0, 0}, {[]int{2, 2, 2}, 2, 0},
		{[]int{3, 1, 3}, 1, 4}, {[]int{1, 3, 2}, 1, 3}, {[]int{2, 0, 2}, 0, 4}, {[]int{3, 3, 2}, 2, 2},
	} {
		byNode := make([][]dialled, len(test.made))
		for node, n := range test.made {
			for range n {
				byNode[node] = append(byNode[node], dialled{node: node})
			}
		}
		clients, rest := deal(byNode)
		if len(clients) != test.clients || len(rest) != test.rest {
			t.Errorf("of %v: %d clients, %d left over", test.made, len(clients), len(rest))
		}
		for _, links := range clients {
			for node, l := range links {
				if l.node != node || len(links) != len(test.made) {
					t.Errorf("of %v: a client with %+v", test.made, links)
				}
			}
		}
	}
}

// What was made for clients that do not get all of their connections is closed.
func TestDialHangsUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const n = 3
	greeted, closed := make(chan bool, n), make(chan bool, n)
	complete := make(chan bool) // the first node has greeted all
	first := redistest.Fake(t, func(nc net.Conn) {
		if greet(nc) {
			greeted <- true
			greet(nc) // until it is closed
			closed <- true
		}
	})
	var second atomic.Int64 // connections to the second node
	other := redistest.Fake(t, func(nc net.Conn) {
		if second.Add(1) > 1 {
			<-complete
			return
		}
		greet(nc)
		greet(nc)
	})
	go func() {
		for range n {
			select {
			case <-greeted:
			case <-ctx.Done():
			}
		}
		close(complete)
	}()
	f := &fleet{cluster: &cluster{nodes: []*node{{address: first, primary: true}, {address: other, primary: true}}}}
	clients, err := f.dial(ctx, n, []int{0, 1})
	if err == nil || len(clients) > 1 {
		t.Fatalf("%d clients, error %v", len(clients), err)
	}
	for range n - len(clients) {
		select {
		case <-closed:
		case <-ctx.Done():
			t.Fatal("a connection of the first node was left open")
		}
	}
	for _, links := range clients {
		hangUp(links)
	}
}

// greet answers one command; it returns false when the connection is closed.
func greet(nc net.Conn) bool {
	if _, err := resp.ReadValue(bufio.NewReader(nc)); err != nil {
		return false
	}
	_, err := nc.Write([]byte("+OK\r\n"))
	return err == nil
}
