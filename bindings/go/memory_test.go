//go:build cgo

package latkem_test

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"latkem.org/latkem"
)

// round uses every kind of object and takes every kind of error: 17 operations.
func round(t *testing.T, set *latkem.ParameterSet) {
	dk, ek := generate(t, set)
	sent, ct := ek.Encapsulate()
	received, err := dk.Decapsulate(ct)
	if err != nil || !bytes.Equal(sent, received) {
		t.Fatal(err)
	}
	_, short := dk.Decapsulate(ct[1:])
	_, noDK := set.NewDecapsulationKey(make([]byte, set.DecapsulationKeySize()))
	_, noEK := set.NewEncapsulationKey(bytes.Repeat([]byte{0xff}, set.EncapsulationKeySize()))
	_, noFile := latkem.ParsePKCS8(ct)
	_, noPublic := latkem.ParsePKIX(ct)
	for i, err := range []error{short, noDK, noEK, noFile, noPublic} {
		if err == nil {
			t.Fatal(i)
		}
	}
	der := must[[]byte](t)(dk.MarshalPKCS8(latkem.FormBoth))
	again := must[*latkem.DecapsulationKey](t)(latkem.ParsePKCS8(der))
	must[*latkem.EncapsulationKey](t)(latkem.ParsePKIX(must[[]byte](t)(ek.MarshalPKIX())))
	only := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKey(must[[]byte](t)(again.Bytes())))
	if _, err := only.MarshalPKCS8(latkem.FormSeed); !errors.Is(err, latkem.ErrNoSeed) {
		t.Fatal(err)
	}
	if err := dk.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := dk.Decapsulate(ct); !errors.Is(err, latkem.ErrClosed) {
		t.Fatal(err)
	}
}

// inUse returns the bytes of Go's heap and of the process, after what is collected.
func inUse(t *testing.T) (heap, process int) {
	for range 3 { // cleanups run between collections
		debug.FreeOSMemory()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fields := strings.Fields(string(must[[]byte](t)(os.ReadFile("/proc/self/statm"))))
	return int(stats.HeapAlloc), must[int](t)(strconv.Atoi(fields[1])) * os.Getpagesize()
}

// Some 100 000 operations and errors with LATKEM_TEST_DEEP, a tenth of them without.
func TestMemoryStaysFlat(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	rounds := 600
	if os.Getenv("LATKEM_TEST_DEEP") != "" {
		rounds = 6000
	}
	set := find(t, "ML-KEM-512")
	for range 200 {
		round(t, set)
	}
	heapBefore, processBefore := inUse(t)
	for range rounds {
		round(t, set)
	}
	heap, process := inUse(t)
	if more := heap - heapBefore; more > 64<<10 {
		t.Errorf("Go's heap has %d bytes more after %d rounds", more, rounds)
	}
	if raceDetector {
		t.Log("the process is not measured: the race detector keeps what it knows of addresses")
	} else if more := process - processBefore; more > max(8<<20, 100*rounds) {
		t.Errorf("the process has %d bytes more after %d rounds", more, rounds)
	}
}

// The random generator fails in a process of its own, for which test.py gives a C library that says so.
func TestFailedRandomness(t *testing.T) {
	if os.Getenv("LATKEM_TEST_RANDOM_FAILS") == "" {
		t.Skip("the random generator works here: bindings/go/test.py runs this where it fails")
	}
	for _, name := range []string{"ML-KEM-768", "Kyber512", "Saber", "NTRU-HRSS-701"} {
		set := find(t, name)
		_, generate := set.GenerateKey()
		dk := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKeyFromSeed(make([]byte, set.SeedSize())))
		ek := must[*latkem.EncapsulationKey](t)(dk.EncapsulationKey())
		_, _, encapsulate := set.Encapsulate(ek.Bytes())
		keys := set.GenerateBatch(make([]byte, set.EncapsulationKeySize()), make([]byte, set.DecapsulationKeySize()))
		for i, err := range []error{generate, encapsulate, keys} {
			if !errors.Is(err, latkem.ErrRandom) {
				t.Error(name, i, err)
			}
		}
		func() {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, latkem.ErrRandom) {
					t.Error(name, err)
				}
			}()
			ek.Encapsulate()
		}()
	}
	if _, err := latkem.GenerateKey512(); !errors.Is(err, latkem.ErrRandom) {
		t.Error(err)
	}
}
