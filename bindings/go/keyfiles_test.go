//go:build cgo

package latkem_test

import (
	"errors"
	"testing"

	"latkem.org/latkem"
)

func TestFormsOfKeyFiles(t *testing.T) {
	for _, name := range []string{"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"} {
		dk, ek := generate(t, find(t, name))
		expanded := must[[]byte](t)(dk.Bytes())
		for _, form := range []latkem.PrivateKeyForm{latkem.FormSeed, latkem.FormExpanded, latkem.FormBoth} {
			der := must[[]byte](t)(dk.MarshalPKCS8(form))
			again := must[*latkem.DecapsulationKey](t)(latkem.ParsePKCS8(der))
			equal(t, "expanded keys", must[[]byte](t)(again.Bytes()), expanded)
			if _, err := again.Seed(); (err == nil) != (form != latkem.FormExpanded) {
				t.Error(form, err)
			}
			public := must[*latkem.EncapsulationKey](t)(again.EncapsulationKey())
			if !public.Equal(ek) {
				t.Error(form)
			}
			for n := range der {
				if _, err := latkem.ParsePKCS8(der[:n]); !errors.Is(err, latkem.ErrInvalidKeyFile) {
					t.Fatalf("%d of %d bytes: %v", n, len(der), err)
				}
			}
		}
		der := must[[]byte](t)(ek.MarshalPKIX())
		if again := must[*latkem.EncapsulationKey](t)(latkem.ParsePKIX(der)); !again.Equal(ek) {
			t.Error(again)
		}
		for n := range der {
			if _, err := latkem.ParsePKIX(der[:n]); !errors.Is(err, latkem.ErrInvalidKeyFile) {
				t.Fatalf("%d of %d bytes: %v", n, len(der), err)
			}
		}
		only := must[*latkem.DecapsulationKey](t)(find(t, name).NewDecapsulationKey(expanded))
		for _, form := range []latkem.PrivateKeyForm{latkem.FormSeed, latkem.FormBoth} {
			if _, err := only.MarshalPKCS8(form); !errors.Is(err, latkem.ErrNoSeed) {
				t.Error(form, err)
			}
		}
		for _, form := range []latkem.PrivateKeyForm{0, -1, 4} {
			if der, err := dk.MarshalPKCS8(form); err == nil || der != nil {
				t.Error(form, err)
			}
		}
	}
	for _, der := range [][]byte{nil, {}, {0x30}, []byte("-----BEGIN PRIVATE KEY-----")} {
		_, private := latkem.ParsePKCS8(der)
		_, public := latkem.ParsePKIX(der)
		if !errors.Is(private, latkem.ErrInvalidKeyFile) || !errors.Is(public, latkem.ErrInvalidKeyFile) {
			t.Error(private, public)
		}
	}
	dk, ek := generate(t, find(t, "Kyber768"))
	_, private := dk.MarshalPKCS8(latkem.FormExpanded)
	_, public := ek.MarshalPKIX()
	if !errors.Is(private, errors.ErrUnsupported) || !errors.Is(public, errors.ErrUnsupported) {
		t.Error(private, public)
	}
}
