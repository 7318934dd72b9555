package conn

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// takeDescriptor duplicates the socket below nc, non-blocking.
func takeDescriptor(nc net.Conn) (int, error) {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return 0, fmt.Errorf("the epoll engine needs a plain socket, not %T", nc)
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return 0, err
	}
	fd, dupErr := -1, error(nil)
	err = raw.Control(func(old uintptr) {
		fd, dupErr = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err = errors.Join(err, os.NewSyscallError("dup", dupErr)); err != nil {
		return 0, err
	}
	return fd, nil
}

// receive reads once. Nothing to read is 0 bytes and no error, the end of the
// stream is io.EOF.
func receive(fd int, b []byte) (int, error) {
	n, errno := socketCall(unix.SYS_RECVFROM, fd, b)
	switch {
	case errno == unix.EAGAIN:
		return 0, nil
	case errno != 0:
		return 0, os.NewSyscallError("read", errno)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// send writes once. A full socket is 0 bytes and no error.
func send(fd int, b []byte) (int, error) {
	n, errno := socketCall(unix.SYS_SENDTO, fd, b)
	switch errno {
	case 0:
		return n, nil
	case unix.EAGAIN:
		return 0, nil
	}
	return 0, os.NewSyscallError("write", errno)
}

// socketCall is recvfrom or sendto on a connected socket that does not block.
// They cost less than read and write, which go through the file layer.
func socketCall(number uintptr, fd int, b []byte) (int, syscall.Errno) {
	for {
		n, _, errno := syscall.RawSyscall6(number, uintptr(fd),
			uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), unix.MSG_NOSIGNAL, 0, 0)
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}
