// Command speed compares ML-KEM-768 of this module with crypto/mlkem: medians of blocks that take turns, with keys that are
// kept. It fails where a ratio is above its bar.
package main

import (
	"crypto/mlkem"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"latkem.org/latkem"
)

const blocks, inBlock = 1001, 20

type row struct {
	name         string
	ours, theirs func()
	bar          float64
}

// measure returns the medians of both in microseconds.
func (r row) measure() (ours, theirs float64) {
	calls, times := []func(){r.ours, r.theirs}, [2][]float64{}
	for range blocks {
		for i, call := range calls {
			begin := time.Now()
			for range inBlock {
				call()
			}
			times[i] = append(times[i], float64(time.Since(begin).Nanoseconds())/inBlock/1000)
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	return times[0][blocks/2], times[1][blocks/2]
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// processor returns what Linux calls it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	var found []string
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); key == "model name" || key == "cpu family" || key == "model" {
			found = append(found, key+" "+strings.TrimSpace(value))
		}
	}
	return strings.Join(found[:min(3, len(found))], ", ")
}

func main() {
	dk, std := must(latkem.GenerateKey768()), must(mlkem.GenerateKey768())
	ek, stdEK := dk.EncapsulationKey(), std.EncapsulationKey()
	_, ct := ek.Encapsulate()
	_, stdCT := stdEK.Encapsulate()
	rows := []row{
		{"key generation", func() { must(latkem.GenerateKey768()) }, func() { must(mlkem.GenerateKey768()) }, 0.30},
		{"encapsulation", func() { ek.Encapsulate() }, func() { stdEK.Encapsulate() }, 0.15},
		{"decapsulation", func() { must(dk.Decapsulate(ct)) }, func() { must(std.Decapsulate(stdCT)) }, 0.20},
	}
	fmt.Printf("%s; backend %s; medians of %d blocks in microseconds\n", processor(), latkem.Backend(), blocks)
	failed := false
	for _, r := range rows {
		ours, theirs := r.measure()
		fmt.Printf("%-14s  latkem %6.2f  crypto/mlkem %7.2f  ratio %.2f  bar %.2f\n", r.name, ours, theirs, ours/theirs, r.bar)
		failed = failed || ours/theirs > r.bar
	}
	if failed && latkem.Backend() == "avx512" {
		log.Fatal("a ratio is above its bar")
	}
}
