package wire

import (
	"net"
	"syscall"
)

// promptConn acknowledges what it has read at once. Many small servers leave
// Nagle's algorithm on and write an answer in small pieces: then each piece
// waits for the acknowledgement of the one before, which Linux delays by 40 ms
// on a connection that is used again.
type promptConn struct {
	*net.TCPConn
	raw syscall.RawConn
}

func promptly(c net.Conn) net.Conn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return c
	}
	return &promptConn{tcp, raw}
}

// Read reads, and sends the acknowledgement. The option is no state: the
// kernel drops it by itself, so it is set each time.
func (c *promptConn) Read(p []byte) (int, error) {
	n, err := c.TCPConn.Read(p)
	if n > 0 {
		// Only latency hangs on it: failures are no failures to read.
		_ = c.raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
		})
	}
	return n, err
}
