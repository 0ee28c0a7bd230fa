//go:build cgo

package latkem_test

import (
	"bytes"
	"crypto/sha3"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"latkem.org/latkem"
)

func find(t testing.TB, name string) *latkem.ParameterSet {
	t.Helper()
	return must[*latkem.ParameterSet](t)(latkem.FindParameterSet(name))
}

// eachSet runs a test for every set.
func eachSet(t *testing.T, test func(t *testing.T, set *latkem.ParameterSet)) {
	for _, set := range latkem.ParameterSets() {
		t.Run(set.String(), func(t *testing.T) { test(t, set) })
	}
}

func generate(t testing.TB, set *latkem.ParameterSet) (*latkem.DecapsulationKey, *latkem.EncapsulationKey) {
	t.Helper()
	dk := must[*latkem.DecapsulationKey](t)(set.GenerateKey())
	return dk, must[*latkem.EncapsulationKey](t)(dk.EncapsulationKey())
}

func TestSixteenSets(t *testing.T) {
	if sets := latkem.ParameterSets(); len(sets) != 16 || sets[0] != find(t, "ML-KEM-512") {
		t.Errorf("%v", sets)
	}
	for _, name := range []string{"", "ml-kem-768", "ML-KEM-768 ", "ML-KEM-768\x00", "X-Wing"} {
		if _, err := latkem.FindParameterSet(name); err == nil {
			t.Errorf("%q was found", name)
		}
	}
	if latkem.Version() == "" || latkem.Backend() == "" {
		t.Error("no version or backend")
	}
}

func TestExchange(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		dk, ek := generate(t, set)
		expanded := must[[]byte](t)(dk.Bytes())
		exchange(t, ek, dk)
		exchange(t, must[*latkem.EncapsulationKey](t)(set.NewEncapsulationKey(ek.Bytes())), dk)
		exchange(t, ek, must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKey(expanded)))
		sent, ct, err := set.Encapsulate(ek.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "shared keys", sent, must[[]byte](t)(set.Decapsulate(expanded, ct)))
		equal(t, "shared keys", sent, must[[]byte](t)(dk.Decapsulate(ct)))
		received := make([]byte, set.SharedKeySize())
		if err := dk.DecapsulateTo(received, ct); err != nil {
			t.Fatal(err)
		}
		equal(t, "shared keys", sent, received)
		if dk.ParameterSet() != set || ek.ParameterSet() != set {
			t.Error("a key of another set")
		}
	})
}

func TestWrongLengths(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		dk, ek := generate(t, set)
		public, expanded := ek.Bytes(), must[[]byte](t)(dk.Bytes())
		ss, ct := ek.Encapsulate()
		third := func(_, _ []byte, err error) error { return err }
		second := func(_ any, err error) error { return err }
		calls := []struct {
			what string
			size int
			call func([]byte) error
		}{
			{"a seed", set.SeedSize(), func(b []byte) error { return second(set.NewDecapsulationKeyFromSeed(b)) }},
			{"a decapsulation key", len(expanded), func(b []byte) error { return second(set.NewDecapsulationKey(b)) }},
			{"a decapsulation key", len(expanded), func(b []byte) error { return second(set.Decapsulate(b, ct)) }},
			{"an encapsulation key", len(public), func(b []byte) error { return second(set.NewEncapsulationKey(b)) }},
			{"an encapsulation key", len(public), func(b []byte) error { return third(set.Encapsulate(b)) }},
			{"an encapsulation key", len(public), func(b []byte) error { return third(set.EncapsulateDerand(b, make([]byte, set.CoinsSize()))) }},
			{"the randomness of an encapsulation", set.CoinsSize(), func(b []byte) error { return third(set.EncapsulateDerand(public, b)) }},
			{"a ciphertext", len(ct), func(b []byte) error { return second(set.Decapsulate(expanded, b)) }},
			{"a ciphertext", len(ct), func(b []byte) error { return second(dk.Decapsulate(b)) }},
			{"a ciphertext", len(ct), func(b []byte) error { return dk.DecapsulateTo(ss, b) }},
			{"a shared key", len(ss), func(b []byte) error { return dk.DecapsulateTo(b, ct) }},
		}
		for _, c := range calls {
			wrongLengths(t, set.String(), c.what, c.size, c.call)
		}
	})
}

func TestInvalidKeys(t *testing.T) {
	for _, name := range []string{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"} {
		set := find(t, name)
		dk, ek := generate(t, set)
		public, expanded := ek.Bytes(), must[[]byte](t)(dk.Bytes())
		public[0], public[1] = 0xff, 0xff
		expanded[len(expanded)-40] ^= 1
		_, newEK := set.NewEncapsulationKey(public)
		_, _, encapsulate := set.Encapsulate(public)
		_, newDK := set.NewDecapsulationKey(expanded)
		_, decapsulate := set.Decapsulate(expanded, make([]byte, set.CiphertextSize()))
		if !errors.Is(newEK, latkem.ErrInvalidEncapsulationKey) || !errors.Is(encapsulate, latkem.ErrInvalidEncapsulationKey) {
			t.Error(newEK, encapsulate)
		}
		if !errors.Is(newDK, latkem.ErrInvalidDecapsulationKey) || !errors.Is(decapsulate, latkem.ErrInvalidDecapsulationKey) {
			t.Error(newDK, decapsulate)
		}
	}
}

// The check of an expanded key is of the hash of its public key alone (FIPS 203 section 7.3).
func TestInvalidPublicKeyInsideAnExpandedKey(t *testing.T) {
	set := find(t, "ML-KEM-768")
	key, _ := generate(t, set)
	expanded := must[[]byte](t)(key.Bytes())
	hash := len(expanded) - 64
	ek := expanded[hash-set.EncapsulationKeySize() : hash]
	ek[0], ek[1] = 0xff, 0xff
	digest := sha3.Sum256(ek)
	copy(expanded[hash:], digest[:])
	dk := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKey(expanded))
	if ek, err := dk.EncapsulationKey(); ek != nil || !errors.Is(err, latkem.ErrInvalidEncapsulationKey) {
		t.Error(err)
	}
}

func TestWhatKeysHold(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		dk, ek := generate(t, set)
		expanded := must[[]byte](t)(dk.Bytes())
		again := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKey(expanded))
		public, err := again.EncapsulationKey()
		if set.Family() == "NTRU" {
			if !errors.Is(err, latkem.ErrNoKey) || again.Encapsulator() != nil {
				t.Error(err)
			}
		} else if err != nil || !public.Equal(ek) || !ek.Equal(again.Encapsulator()) {
			t.Error(err, public)
		}
		_, err = dk.Seed()
		if set.IsStandard() != (err == nil) || err != nil && !errors.Is(err, latkem.ErrNoSeed) {
			t.Error(err)
		}
		if _, err := again.Seed(); !errors.Is(err, latkem.ErrNoSeed) {
			t.Error(err)
		}
		clear(expanded)
		clear(must[[]byte](t)(dk.Bytes()))
		clear(ek.Bytes())
		exchange(t, ek, again)
		exchange(t, ek, dk)
	})
}

func TestEqual(t *testing.T) {
	kyber, saber := find(t, "Kyber768"), find(t, "Saber")
	_, ek := generate(t, kyber)
	same := must[*latkem.EncapsulationKey](t)(kyber.NewEncapsulationKey(ek.Bytes()))
	ml := must[*latkem.EncapsulationKey](t)(find(t, "ML-KEM-768").NewEncapsulationKey(ek.Bytes()))
	_, other := generate(t, saber)
	if !ek.Equal(same) || ek.Equal(ml) || ek.Equal(other) || ek.Equal(nil) || ek.Equal(ek.Bytes()) {
		t.Error("keys are compared wrongly")
	}
}

func TestClosedKeys(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		dk, ek := generate(t, set)
		ss, ct := ek.Encapsulate()
		if err := errors.Join(dk.Close(), dk.Close()); err != nil {
			t.Error(err)
		}
		_, decapsulate := dk.Decapsulate(ct)
		_, bytes := dk.Bytes()
		_, seed := dk.Seed()
		_, public := dk.EncapsulationKey()
		results := []error{decapsulate, bytes, seed, public, dk.DecapsulateTo(ss, ct)}
		if set.IsStandard() {
			_, file := dk.MarshalPKCS8(latkem.FormSeed)
			results = append(results, file)
		}
		for i, err := range results {
			if !errors.Is(err, latkem.ErrClosed) {
				t.Error(i, err)
			}
		}
		exchangeFails := dk.Encapsulator()
		if exchangeFails != nil || dk.ParameterSet() != set {
			t.Error(exchangeFails)
		}
		ek.Encapsulate()
	})
}

func TestPrintingOfAnySet(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		dk, ek := generate(t, set)
		text := fmt.Sprintf("%v|%#v|%x|%v", dk, dk, dk, ek)
		want := fmt.Sprintf("latkem.DecapsulationKey(%s)", set)
		if parts := strings.Split(text, "|"); parts[0] != want || parts[1] != want || parts[2] != want {
			t.Error(text)
		}
		if text := string(must[[]byte](t)(json.Marshal(dk))); text != "{}" {
			t.Error(text)
		}
	})
}

func TestBatches(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		for _, n := range []int{0, 1, 5, 17} {
			eks, dks := make([]byte, n*set.EncapsulationKeySize()), make([]byte, n*set.DecapsulationKeySize())
			cts, sent, received := make([]byte, n*set.CiphertextSize()), make([]byte, n*set.SharedKeySize()), make([]byte, n*set.SharedKeySize())
			err := errors.Join(set.GenerateBatch(eks, dks), set.EncapsulateBatch(cts, sent, eks), set.DecapsulateBatch(received, cts, dks))
			if err != nil || !bytes.Equal(sent, received) {
				t.Fatal(n, err)
			}
			for i := range n {
				ss := must[[]byte](t)(set.Decapsulate(dks[i*set.DecapsulationKeySize():][:set.DecapsulationKeySize()],
					cts[i*set.CiphertextSize():][:set.CiphertextSize()]))
				equal(t, "shared keys", ss, sent[i*set.SharedKeySize():][:set.SharedKeySize()])
			}
		}
	})
}

// refused holds if a batch returns the wanted error and leaves every byte as it was.
func refused(t *testing.T, what string, length bool, call func() error, buffers ...[]byte) {
	t.Helper()
	for _, b := range buffers {
		for i := range b {
			b[i] = 0xa5
		}
	}
	if err := call(); err == nil || errors.Is(err, latkem.ErrInvalidLength) != length {
		t.Errorf("%s: %v", what, err)
	}
	for i, b := range buffers {
		if len(bytes.Trim(b, "\xa5")) != 0 {
			t.Errorf("%s: buffer %d was written", what, i)
		}
	}
}

func TestUnevenBatches(t *testing.T) {
	eachSet(t, func(t *testing.T, set *latkem.ParameterSet) {
		const n = 2
		sizes := []int{set.EncapsulationKeySize(), set.DecapsulationKeySize(), set.CiphertextSize(), set.SharedKeySize()}
		for which, size := range sizes {
			for _, wrong := range []int{0, 1, size, 2*size - 1, 2*size + 1, 3 * size} {
				b := make([][]byte, len(sizes))
				for i, size := range sizes {
					b[i] = make([]byte, n*size)
				}
				b[which] = make([]byte, wrong)
				eks, dks, cts, sss := b[0], b[1], b[2], b[3]
				what := fmt.Sprintf("array %d of %d bytes", which, wrong)
				if which < 2 {
					refused(t, what, true, func() error { return set.GenerateBatch(eks, dks) }, b...)
				}
				if which != 1 {
					refused(t, what, true, func() error { return set.EncapsulateBatch(cts, sss, eks) }, b...)
				}
				if which != 0 {
					refused(t, what, true, func() error { return set.DecapsulateBatch(sss, cts, dks) }, b...)
				}
			}
		}
	})
}

func TestOverlaps(t *testing.T) {
	set := find(t, "ML-KEM-512")
	ek, dk, ct, ss := set.EncapsulationKeySize(), set.DecapsulationKeySize(), set.CiphertextSize(), set.SharedKeySize()
	room := make([]byte, ek+dk+ct+ss)
	at := func(begin, size int) []byte { return room[begin : begin+size] }
	for name, call := range map[string]func() error{
		"ek, dk": func() error { return set.GenerateBatch(at(0, ek), at(ek-1, dk)) },
		"dk, ek": func() error { return set.GenerateBatch(at(dk-1, ek), at(0, dk)) },
		"ct, ss": func() error { return set.EncapsulateBatch(at(0, ct), at(ct-1, ss), at(ct+ss, ek)) },
		"ct, ek": func() error { return set.EncapsulateBatch(at(ek-1, ct), at(ek+ct, ss), at(0, ek)) },
		"ss, ek": func() error { return set.EncapsulateBatch(at(ek+ss, ct), at(9, ss), at(0, ek)) },
		"ss, ct": func() error { return set.DecapsulateBatch(at(9, ss), at(0, ct), at(ct, dk)) },
		"ss, dk": func() error { return set.DecapsulateBatch(at(ct+dk-1, ss), at(0, ct), at(ct, dk)) },
	} {
		refused(t, name, false, call, room)
	}
	key, _ := generate(t, set)
	refused(t, "ss, ct of a key", false, func() error { return key.DecapsulateTo(at(9, ss), at(0, ct)) }, room)
}

func TestBadKeyInABatch(t *testing.T) {
	const n, bad = 9, 4
	set := find(t, "ML-KEM-768")
	eks, dks := make([]byte, n*set.EncapsulationKeySize()), make([]byte, n*set.DecapsulationKeySize())
	cts, sss := make([]byte, n*set.CiphertextSize()), make([]byte, n*set.SharedKeySize())
	if err := set.GenerateBatch(eks, dks); err != nil {
		t.Fatal(err)
	}
	copy(eks[bad*set.EncapsulationKeySize():], "\xff\xff\xff")
	if err := set.EncapsulateBatch(cts, sss, eks); !errors.Is(err, latkem.ErrInvalidEncapsulationKey) {
		t.Error(err)
	}
	for i := range n {
		ss := sss[i*set.SharedKeySize():][:set.SharedKeySize()]
		if zero := len(bytes.Trim(ss, "\x00")) == 0; zero != (i == bad) {
			t.Error(i, zero)
		}
	}
}
