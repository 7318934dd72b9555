package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const bufferSize = 64 << 10

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: nullserver ADDRESS    (as 127.0.0.1:7000)")
		os.Exit(2)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "nullserver:", err)
		os.Exit(1)
	}
}

// serve listens on address and answers until the process is killed.
func serve(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	listening := int(file.Fd())
	if err := unix.SetNonblock(listening, true); err != nil {
		return err
	}
	runtime.LockOSThread()
	s := server{clients: map[int32]*counter{}, in: make([]byte, bufferSize), ok: bytes.Repeat([]byte("+OK\r\n"), bufferSize)}
	if s.ep, err = unix.EpollCreate1(0); err != nil {
		return err
	}
	if err := s.watch(listening); err != nil {
		return err
	}
	events := make([]unix.EpollEvent, 256)
	for {
		n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(s.ep),
			uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), ^uintptr(0), 0, 0)
		if errno != 0 {
			continue
		}
		for _, e := range events[:n] {
			if int(e.Fd) == listening {
				s.accept(listening)
			} else {
				s.answer(e.Fd)
			}
		}
	}
}

type server struct {
	ep      int
	clients map[int32]*counter
	in, ok  []byte
}

func (s *server) watch(fd int) error {
	return unix.EpollCtl(s.ep, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

func (s *server) accept(listening int) {
	fd, _, err := unix.Accept4(listening, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	if err != nil {
		return
	}
	unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	s.clients[int32(fd)] = &counter{}
	if s.watch(fd) != nil {
		s.drop(int32(fd))
	}
}

// answer reads once and writes the answers to what it read. A client that
// does not read its answers is dropped: nothing is ever kept for it.
func (s *server) answer(fd int32) {
	n, _, errno := syscall.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&s.in[0])), uintptr(len(s.in)))
	if errno == unix.EAGAIN || errno == unix.EINTR {
		return
	}
	if errno != 0 || n == 0 {
		s.drop(fd)
		return
	}
	size := len("+OK\r\n") * s.clients[fd].count(s.in[:n])
	if size == 0 {
		return
	}
	wrote, _, errno := syscall.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&s.ok[0])), uintptr(size))
	if errno != 0 || int(wrote) != size {
		s.drop(fd)
	}
}

func (s *server) drop(fd int32) {
	delete(s.clients, fd)
	unix.Close(int(fd))
}
