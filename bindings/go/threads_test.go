//go:build cgo

package latkem_test

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"testing"

	"latkem.org/latkem"
)

// together runs f on many goroutines at once.
func together(f func(i int)) {
	var begin, done sync.WaitGroup
	begin.Add(1)
	for i := range 16 {
		done.Go(func() {
			begin.Wait()
			f(i)
		})
	}
	begin.Done()
	done.Wait()
}

func TestFirstUseTogether(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		for range 4 {
			dk, ek := generate(t, set)
			together(func(int) {
				sent, ct := ek.Encapsulate()
				if received, err := dk.Decapsulate(ct); err != nil || !bytes.Equal(sent, received) {
					t.Error(err)
				}
			})
		}
	})
}

func TestCloseUnderUse(t *testing.T) {
	set := find(t, "ML-KEM-768")
	for range 50 {
		dk, ek := generate(t, set)
		sent, ct := ek.Encapsulate()
		together(func(i int) {
			if i == 7 {
				if err := dk.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			for range 20 {
				received, err := dk.Decapsulate(ct)
				if errors.Is(err, latkem.ErrClosed) {
					return
				}
				if err != nil || !bytes.Equal(sent, received) {
					t.Error("a key that was closed under use gave a wrong result", err)
				}
			}
		})
	}
}

// The collector may not wipe a key that is in use for the last time.
func TestCollectionUnderUse(t *testing.T) {
	set := find(t, "NTRU-HRSS-701")
	dk, ek := generate(t, set)
	sent, ct := ek.Encapsulate()
	expanded := must[[]byte](t)(dk.Bytes())
	stop := make(chan struct{})
	var collector sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for range 200 {
		last := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKey(expanded))
		received, err := last.Decapsulate(ct)
		if err != nil || !bytes.Equal(sent, received) {
			t.Fatal("a key was collected under use", err)
		}
	}
	close(stop)
	collector.Wait()
}
