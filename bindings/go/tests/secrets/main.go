// Command secrets holds secrets for bindings/go/test.py, which looks for them in this process's memory. It prints them
// masked, so that no buffer of the output holds one, and then waits for a line.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"os"
	"runtime"
	"time"

	"latkem.org/latkem"
)

var input = bufio.NewReader(os.Stdin)

func tell(name string, secret []byte) {
	masked := make([]byte, len(secret))
	for i, b := range secret {
		masked[i] = b ^ 0xa5
	}
	fmt.Printf("%s %x\n", name, masked)
}

func wait(stage string) {
	fmt.Println(stage)
	if _, err := input.ReadString('\n'); err != nil {
		log.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// telling shows a secret that the package has handed out, and wipes it.
func telling(name string, secret []byte, from, to int) {
	tell(name, secret[from:to])
	clear(secret)
}

// again is every other way to a key, and what is closed with it.
func again(key *latkem.DecapsulationKey, err error, sent, ct []byte) {
	must(key, err)
	received := must(key.Decapsulate(ct))
	if !bytes.Equal(sent, received) {
		log.Fatal("shared keys differ")
	}
	clear(received)
	key.Close()
}

// use does with a key all that the package does with a secret.
func use(key *latkem.DecapsulationKey) {
	set := key.ParameterSet()
	sent, ct := must(key.EncapsulationKey()).Encapsulate()
	received := make([]byte, set.SharedKeySize())
	if err := key.DecapsulateTo(received, ct); err != nil || !bytes.Equal(sent, received) {
		log.Fatal(err)
	}
	clear(received)
	expanded := must(key.Bytes())
	copied, err := set.NewDecapsulationKey(expanded)
	again(copied, err, sent, ct)
	if set.IsStandard() {
		for _, form := range []latkem.PrivateKeyForm{latkem.FormSeed, latkem.FormExpanded, latkem.FormBoth} {
			file := must(key.MarshalPKCS8(form))
			read, err := latkem.ParsePKCS8(file)
			again(read, err, sent, ct)
			clear(file)
		}
		seed := must(key.Seed())
		made, err := set.NewDecapsulationKeyFromSeed(seed)
		again(made, err, sent, ct)
		tell("d", seed[:32])
		telling("z", seed, 32, 64)
	}
	telling("the expanded key", expanded, 0, 128)
	clear(sent)
	wait("open")
}

func main() {
	for _, name := range []string{"ML-KEM-768", "Kyber1024", "Saber", "NTRU-HPS-2048-509"} {
		key := must(must(latkem.FindParameterSet(name)).GenerateKey())
		use(key)
		if name == "Saber" { // which the collector wipes, and a second collection would free
			key = nil
			runtime.GC()
			time.Sleep(100 * time.Millisecond)
		} else { // and these stay where they are, so that memory which was not wiped is found
			key.Close()
		}
		wait("closed")
		runtime.KeepAlive(key)
	}
}
