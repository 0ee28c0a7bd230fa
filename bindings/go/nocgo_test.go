//go:build !cgo

package latkem_test

import (
	"errors"
	"testing"

	"latkem.org/latkem"
)

func TestWithoutCgo(t *testing.T) {
	sets := latkem.ParameterSets()
	if latkem.Backend() != "crypto/mlkem" || len(sets) != 2 || sets[0].String() != "ML-KEM-768" || sets[1].String() != "ML-KEM-1024" {
		t.Fatal(latkem.Backend(), sets)
	}
	set := sets[0]
	dk := must[*latkem.DecapsulationKey](t)(set.GenerateKey())
	ek := must[*latkem.EncapsulationKey](t)(dk.EncapsulationKey())
	exchange(t, ek, dk)
	eks, dks := ek.Bytes(), make([]byte, set.DecapsulationKeySize())
	cts, sss := make([]byte, set.CiphertextSize()), make([]byte, set.SharedKeySize())
	if err := set.EncapsulateBatch(cts, sss, eks); err != nil {
		t.Error(err)
	}
	equal(t, "shared keys", sss, must[[]byte](t)(dk.Decapsulate(cts)))
	var unsupported []error
	add := func(_ any, err error) { unsupported = append(unsupported, err) }
	add(latkem.FindParameterSet("Saber"))
	add(latkem.GenerateKey512())
	add(latkem.NewDecapsulationKey512(make([]byte, 64)))
	add(latkem.NewEncapsulationKey512(make([]byte, 800)))
	add(set.NewDecapsulationKey(dks))
	add(set.Decapsulate(dks, cts))
	add(dk.Bytes())
	add(dk.MarshalPKCS8(latkem.FormSeed))
	add(ek.MarshalPKIX())
	add(latkem.ParsePKCS8(cts))
	add(latkem.ParsePKIX(cts))
	add(nil, set.GenerateBatch(eks, dks))
	add(nil, set.DecapsulateBatch(sss, cts, dks))
	for i, err := range unsupported {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Error(i, err)
		}
	}
}
