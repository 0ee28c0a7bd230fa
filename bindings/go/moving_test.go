package latkem_test

import (
	"bytes"
	"crypto/mlkem"
	"testing"

	"latkem.org/latkem"
)

// The calls of docs/moving.md in Go. Those of CIRCL are in tests/moving, a module of its own.

// A kept is what one side leaves to the other.
type kept struct{ seed, ct, ss []byte }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func there(t *testing.T) kept {
	dk, err := mlkem.GenerateKey768()
	check(t, err)
	pk := dk.EncapsulationKey().Bytes()
	ek, err := mlkem.NewEncapsulationKey768(pk)
	check(t, err)
	ss, ct := ek.Encapsulate()
	ss, err = dk.Decapsulate(ct)
	check(t, err)
	seed := dk.Bytes()
	dk, err = mlkem.NewDecapsulationKey768(seed)
	check(t, err)
	return kept{seed: dk.Bytes(), ct: ct, ss: ss}
}

func here(t *testing.T) kept {
	dk, err := latkem.GenerateKey768()
	check(t, err)
	pk := dk.EncapsulationKey().Bytes()
	ek, err := latkem.NewEncapsulationKey768(pk)
	check(t, err)
	ss, ct := ek.Encapsulate()
	ss, err = dk.Decapsulate(ct)
	check(t, err)
	seed := dk.Bytes()
	dk, err = latkem.NewDecapsulationKey768(seed)
	check(t, err)
	return kept{seed: dk.Bytes(), ct: ct, ss: ss}
}

func TestMovingFromStandardLibrary(t *testing.T) {
	old, own := there(t), here(t)
	dk, err := latkem.NewDecapsulationKey768(old.seed)
	check(t, err)
	std, err := mlkem.NewDecapsulationKey768(own.seed)
	check(t, err)
	ours, err := dk.Decapsulate(old.ct)
	check(t, err)
	theirs, err := std.Decapsulate(own.ct)
	check(t, err)
	if !bytes.Equal(ours, old.ss) || !bytes.Equal(theirs, own.ss) {
		t.Error("keys or ciphertexts of one side do not work on the other")
	}
}

func TestMovingFromCIRCL(t *testing.T) {
	if latkem.Backend() == "crypto/mlkem" {
		t.Skip("without cgo there are no expanded keys")
	}
	set, err := latkem.FindParameterSet("ML-KEM-768")
	check(t, err)
	dk, err := set.GenerateKey()
	check(t, err)
	seed, err := dk.Seed()
	check(t, err)
	ek, err := dk.EncapsulationKey()
	check(t, err)
	ss, ct := ek.Encapsulate()
	sent := ss
	ss, err = dk.Decapsulate(ct)
	check(t, err)
	kept, err := dk.Bytes()
	check(t, err)
	dk, err = set.NewDecapsulationKey(kept)
	check(t, err)
	again, err := dk.Decapsulate(ct)
	check(t, err)
	dk, err = set.NewDecapsulationKeyFromSeed(seed)
	check(t, err)
	derived, err := dk.Bytes()
	check(t, err)
	if !bytes.Equal(ss, sent) || !bytes.Equal(again, sent) || !bytes.Equal(derived, kept) {
		t.Error("a key that was kept differs")
	}
}
