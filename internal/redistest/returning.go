package redistest

import (
	"sync"
	"testing"
)

// Returning is a server that is away until it is waited for: remark is a
// function that brings it back, and said is what it has heard.
func Returning(t testing.TB) (s *Server, remark func(string), said func() []string) {
	s = Start(t)
	s.Kill(t)
	var mu sync.Mutex
	var heard []string
	waiting, back := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(back)
		<-waiting
		s.Restart(t)
	}()
	remark = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if heard = append(heard, text); len(heard) == 1 {
			close(waiting)
		}
	}
	said = func() []string {
		mu.Lock()
		first := len(heard) == 0
		mu.Unlock()
		if first {
			close(waiting)
		}
		<-back
		return heard
	}
	return s, remark, said
}
