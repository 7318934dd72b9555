package redistest

import (
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

func TestFake(t *testing.T) {
	t.Parallel()
	var open []net.Conn
	ended := make(chan error, 4)
	t.Run("inner", func(t *testing.T) {
		addr := Fake(t, func(c net.Conn) {
			b := make([]byte, 2)
			for {
				if _, err := io.ReadFull(c, b); err != nil {
					ended <- err
					return
				}
				fmt.Fprintf(c, "<%s>", b)
			}
		})
		for i := range 4 {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			c.SetDeadline(time.Now().Add(doTimeout))
			open = append(open, c)
			fmt.Fprintf(c, "%02d", i)
			got := make([]byte, 4)
			if _, err := io.ReadFull(c, got); err != nil || string(got) != fmt.Sprintf("<%02d>", i) {
				t.Errorf("connection %d: %q, %v", i, got, err)
			}
		}
	})
	// The test is over: everything is closed and every serve has returned.
	if len(ended) != 4 {
		t.Errorf("%d of 4 serves have ended", len(ended))
	}
	for i, c := range open {
		if _, err := io.ReadAll(c); os.IsTimeout(err) {
			t.Errorf("connection %d lives on", i)
		}
		c.Close()
	}
}

func TestFakeClosesWhatIsServed(t *testing.T) {
	t.Parallel()
	addr := Fake(t, func(c net.Conn) { io.WriteString(c, "-ERR bye\r\n") })
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(doTimeout))
	if got, err := io.ReadAll(c); string(got) != "-ERR bye\r\n" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}
