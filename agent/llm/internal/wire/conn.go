package wire

import (
	"context"
	"net"
	"time"
)

// dial connects as net/http's own transport does, to connections that
// acknowledge at once where the system lets us.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	c, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return promptly(c), nil
}
