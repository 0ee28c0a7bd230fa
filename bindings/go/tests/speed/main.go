// Command speed times ML-KEM of this module with keys that are kept, beside crypto/mlkem and the C calls in a loop. Blocks of
// all of them take turns. It prints JSON (harness/packages/measure.py). Usage: speed SECONDS SET...
package main

/*
#cgo CFLAGS: -O2 -DLATKEM_API= -I${SRCDIR}/../../../../include -I${SRCDIR}/../../../../harness/bare
#include "../../../../harness/bare/bare.c"
*/
import "C"

import (
	"crypto/mlkem"
	"encoding/json"
	"log"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"latkem.org/latkem"
)

const roundsMin, inBlock = 15, 20

var operations = [3]string{"keygen", "encaps", "decaps"}

// A row is an operation of a library: a block of it, and the times of one operation in nanoseconds.
type row struct {
	Set       string  `json:"set"`
	Operation string  `json:"operation"`
	Library   string  `json:"library"`
	Q1        float64 `json:"q1_ns"`
	Median    float64 `json:"median_ns"`
	Q3        float64 `json:"q3_ns"`
	block     func()
	times     []float64
}

type document struct {
	Language  string            `json:"language"`
	Runtime   string            `json:"runtime"`
	Backend   string            `json:"backend"`
	Version   string            `json:"version"`
	Libraries map[string]string `json:"libraries"`
	Rounds    int               `json:"rounds"`
	Block     int               `json:"block"`
	Rows      []*row            `json:"rows"`
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

type encapsulationKey interface{ Encapsulate() ([]byte, []byte) }

type decapsulationKey[E encapsulationKey] interface {
	EncapsulationKey() E
	Decapsulate([]byte) ([]byte, error)
}

func inLoop(call func()) func() {
	return func() {
		for range inBlock {
			call()
		}
	}
}

// keys returns blocks of the operations of a type of keys.
func keys[E encapsulationKey, D decapsulationKey[E]](generate func() (D, error)) [3]func() {
	dk := must(generate())
	ek := dk.EncapsulationKey()
	_, ct := ek.Encapsulate()
	return [3]func(){
		inLoop(func() { must(generate()) }),
		inLoop(func() { ek.Encapsulate() }),
		inLoop(func() { must(dk.Decapsulate(ct)) }),
	}
}

// calls returns blocks of the C calls, each with one call from Go.
func calls(set string) [3]func() {
	name := C.CString(set)
	defer C.free(unsafe.Pointer(name))
	work := C.bare_open(name)
	var blocks [3]func()
	for i := range blocks {
		blocks[i] = func() {
			if C.bare_repeat(work, C.enum_bare_operation(i), 1, inBlock) != 0 {
				log.Fatal("a C call failed")
			}
		}
	}
	return blocks
}

// contestants returns the rows of a set. The standard library has no ML-KEM-512.
func contestants(set string) []*row {
	libraries, blocks := []string{"latkem", "C", "crypto/mlkem"}, [][3]func(){{}, calls(set)}
	switch set {
	case "ML-KEM-512":
		blocks[0] = keys(latkem.GenerateKey512)
	case "ML-KEM-768":
		blocks[0] = keys(latkem.GenerateKey768)
		blocks = append(blocks, keys(mlkem.GenerateKey768))
	case "ML-KEM-1024":
		blocks[0] = keys(latkem.GenerateKey1024)
		blocks = append(blocks, keys(mlkem.GenerateKey1024))
	default:
		log.Fatalf("%s is not of ML-KEM", set)
	}
	var rows []*row
	for i, library := range blocks {
		for operation, block := range library {
			rows = append(rows, &row{Set: set, Operation: operations[operation], Library: libraries[i], block: block})
		}
	}
	return rows
}

// run goes through a block before the timed one, because the row before this one has used the caches.
func (r *row) run() {
	r.block()
	begin := time.Now()
	r.block()
	r.times = append(r.times, float64(time.Since(begin).Nanoseconds())/inBlock)
}

// finish sets the quartiles, and returns the number of the blocks.
func (r *row) finish() int {
	slices.Sort(r.times)
	n := len(r.times)
	r.Q1, r.Median, r.Q3 = r.times[n/4], r.times[n/2], r.times[3*n/4]
	return n
}

func main() {
	seconds := must(strconv.ParseFloat(os.Args[1], 64))
	found := document{Language: "Go", Runtime: runtime.Version(), Backend: latkem.Backend(), Version: latkem.Version(), Block: inBlock}
	found.Libraries = map[string]string{"crypto/mlkem": runtime.Version()}
	for _, set := range os.Args[2:] {
		rows := contestants(set)
		for begin := time.Now(); time.Since(begin).Seconds() < seconds || len(rows[0].times) < roundsMin; {
			for _, r := range rows {
				r.run()
			}
		}
		for _, r := range rows {
			found.Rounds = r.finish()
		}
		found.Rows = append(found.Rows, rows...)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}
