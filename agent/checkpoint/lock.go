package checkpoint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// lockWait is how long the store of another process is waited for, lockPoll how
// often it is looked at meanwhile.
const (
	lockWait = 20 * time.Second
	lockPoll = 20 * time.Millisecond
)

// lock keeps other processes of this program off the store; the end of a
// process frees it. The reference takes no lock: git's own ones then hold.
func (m *Manager) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(m.o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of checkpoints: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(m.o.Dir, ".hermes.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the checkpoint store: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for {
		got, err := tryLock(f)
		if err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("lock the checkpoint store: %w", err)
		}
		if got {
			return func() { _ = f.Close() }, nil // closing unlocks
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, fmt.Errorf("another program holds the checkpoint store: %w", ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}
