//go:build !linux

package conn

import "errors"

const haveEpoll = false

func newEpollEngine(Handler, LoopOptions) (engine, error) {
	return nil, errors.New("the epoll engine needs Linux")
}
