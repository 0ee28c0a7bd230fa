// Package moving tries what CIRCL made in latkem. It is a module of its own, because latkem's has no dependencies.
package moving

import (
	"bytes"
	"testing"

	"github.com/cloudflare/circl/kem/schemes"
	"latkem.org/latkem"
)

var names = []string{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "Kyber512", "Kyber768", "Kyber1024"}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The calls of docs/moving.md.
func TestCallsThere(t *testing.T) {
	scheme := schemes.ByName("ML-KEM-768")
	pk, sk, err := scheme.GenerateKeyPair()
	check(t, err)
	ct, ss, err := scheme.Encapsulate(pk)
	check(t, err)
	sent := ss
	kept, err := sk.MarshalBinary()
	check(t, err)
	sk, err = scheme.UnmarshalBinaryPrivateKey(kept)
	check(t, err)
	ss, err = scheme.Decapsulate(sk, ct)
	check(t, err)
	seed := make([]byte, scheme.SeedSize())
	pk, sk = scheme.DeriveKeyPair(seed)
	if !bytes.Equal(ss, sent) || !pk.Equal(sk.Public()) {
		t.Error("CIRCL's own keys differ")
	}
}

// Keys, ciphertexts, seeds and rejected ciphertexts are the same bytes.
func TestMadeThereWorksHere(t *testing.T) {
	for _, name := range names {
		scheme := schemes.ByName(name)
		set, err := latkem.FindParameterSet(name)
		check(t, err)
		pk, sk, err := scheme.GenerateKeyPair()
		check(t, err)
		ct, ss, err := scheme.Encapsulate(pk)
		check(t, err)
		kept, err := sk.MarshalBinary()
		check(t, err)
		dk, err := set.NewDecapsulationKey(kept)
		check(t, err)
		got, err := dk.Decapsulate(ct)
		check(t, err)
		ek, err := dk.EncapsulationKey()
		check(t, err)
		ours, own := ek.Encapsulate()
		theirs, err := scheme.Decapsulate(sk, own)
		check(t, err)
		if !bytes.Equal(got, ss) || !bytes.Equal(ours, theirs) {
			t.Errorf("%s: a key or a ciphertext does not work on the other side", name)
		}
		ct[7] ^= 1
		theirs, err = scheme.Decapsulate(sk, ct)
		check(t, err)
		if got, err = dk.Decapsulate(ct); err != nil || !bytes.Equal(got, theirs) || bytes.Equal(got, ss) {
			t.Errorf("%s: an altered ciphertext gives another secret: %v", name, err)
		}
	}
}

func TestSeeds(t *testing.T) {
	for _, name := range names {
		scheme := schemes.ByName(name)
		set, err := latkem.FindParameterSet(name)
		check(t, err)
		seed := bytes.Repeat([]byte{7}, scheme.SeedSize())
		_, sk := scheme.DeriveKeyPair(seed)
		theirs, err := sk.MarshalBinary()
		check(t, err)
		dk, err := set.NewDecapsulationKeyFromSeed(seed)
		check(t, err)
		if ours, err := dk.Bytes(); err != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("%s: the key of a seed differs: %v", name, err)
		}
	}
}
