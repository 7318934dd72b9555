package main

import "github.com/alicebob/miniredis/v2"

// startEmbedded starts a server in this process, on a free port of the
// loopback interface.
func startEmbedded() (*miniredis.Miniredis, error) {
	server := miniredis.NewMiniRedis()
	return server, server.Start()
}
