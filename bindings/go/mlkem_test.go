package latkem_test

import (
	"bytes"
	"crypto"
	"crypto/hpke"
	"crypto/mlkem"
	"crypto/mlkem/mlkemtest"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"latkem.org/latkem"
)

// The tests of this file hold with and without cgo.

// privateKey is what the types of ML-KEM share with each other and with those of crypto/mlkem.
type privateKey interface {
	crypto.Decapsulator
	Bytes() []byte
}

type closer interface {
	privateKey
	Close() error
}

// sizes is one type of this package, and the standard library's.
type sizes struct {
	name      string
	ek, ct    int
	generate  func() (closer, error)
	fromSeed  func([]byte) (closer, error)
	public    func([]byte) (crypto.Encapsulator, error)
	std       func([]byte) (privateKey, error)
	stdPublic func([]byte) (crypto.Encapsulator, error)
	derand    func(ek, coins []byte) ([]byte, []byte, error)
}

var both = []sizes{
	{
		"ML-KEM-768", latkem.EncapsulationKeySize768, latkem.CiphertextSize768,
		func() (closer, error) { return latkem.GenerateKey768() },
		func(b []byte) (closer, error) { return latkem.NewDecapsulationKey768(b) },
		func(b []byte) (crypto.Encapsulator, error) { return latkem.NewEncapsulationKey768(b) },
		func(b []byte) (privateKey, error) { return mlkem.NewDecapsulationKey768(b) },
		func(b []byte) (crypto.Encapsulator, error) { return mlkem.NewEncapsulationKey768(b) },
		func(ek, coins []byte) ([]byte, []byte, error) {
			key, err := mlkem.NewEncapsulationKey768(ek)
			if err != nil {
				return nil, nil, err
			}
			return mlkemtest.Encapsulate768(key, coins)
		},
	},
	{
		"ML-KEM-1024", latkem.EncapsulationKeySize1024, latkem.CiphertextSize1024,
		func() (closer, error) { return latkem.GenerateKey1024() },
		func(b []byte) (closer, error) { return latkem.NewDecapsulationKey1024(b) },
		func(b []byte) (crypto.Encapsulator, error) { return latkem.NewEncapsulationKey1024(b) },
		func(b []byte) (privateKey, error) { return mlkem.NewDecapsulationKey1024(b) },
		func(b []byte) (crypto.Encapsulator, error) { return mlkem.NewEncapsulationKey1024(b) },
		func(ek, coins []byte) ([]byte, []byte, error) {
			key, err := mlkem.NewEncapsulationKey1024(ek)
			if err != nil {
				return nil, nil, err
			}
			return mlkemtest.Encapsulate1024(key, coins)
		},
	},
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal(t testing.TB, what string, a, b []byte) {
	t.Helper()
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Fatalf("%s: %d and %d bytes that differ, or none", what, len(a), len(b))
	}
}

// exchange encapsulates to one key and decapsulates with the other.
func exchange(t *testing.T, to crypto.Encapsulator, with crypto.Decapsulator) {
	t.Helper()
	sent, ct := to.Encapsulate()
	equal(t, "shared keys", sent, must[[]byte](t)(with.Decapsulate(ct)))
}

func TestInteropWithTheStandardLibrary(t *testing.T) {
	for _, s := range both {
		for range 20 {
			ours := must[closer](t)(s.generate())
			theirs := must[privateKey](t)(s.std(ours.Bytes()))
			equal(t, "public keys", ours.Encapsulator().Bytes(), theirs.Encapsulator().Bytes())
			exchange(t, ours.Encapsulator(), theirs)
			exchange(t, theirs.Encapsulator(), ours)
			exchange(t, must[crypto.Encapsulator](t)(s.public(theirs.Encapsulator().Bytes())), theirs)
			exchange(t, must[crypto.Encapsulator](t)(s.stdPublic(ours.Encapsulator().Bytes())), ours)
			_, ct := theirs.Encapsulator().Encapsulate()
			ct[5] ^= 1
			equal(t, "rejections", must[[]byte](t)(ours.Decapsulate(ct)), must[[]byte](t)(theirs.Decapsulate(ct)))
		}
	}
}

func TestDerandWithTheStandardLibrary(t *testing.T) {
	coins := bytes.Repeat([]byte{7}, 32)
	for _, s := range both {
		set := must[*latkem.ParameterSet](t)(latkem.FindParameterSet(s.name))
		ek := must[closer](t)(s.generate()).Encapsulator().Bytes()
		ss, ct, err := set.EncapsulateDerand(ek, coins)
		wantedSS, wantedCT, stdErr := s.derand(ek, coins)
		if err != nil || stdErr != nil {
			t.Fatal(err, stdErr)
		}
		equal(t, "shared keys", ss, wantedSS)
		equal(t, "ciphertexts", ct, wantedCT)
	}
}

func TestSizes(t *testing.T) {
	for _, s := range both {
		set := must[*latkem.ParameterSet](t)(latkem.FindParameterSet(s.name))
		got := []int{set.EncapsulationKeySize(), set.CiphertextSize(), set.SharedKeySize(), set.SeedSize(), set.CoinsSize()}
		if want := []int{s.ek, s.ct, latkem.SharedKeySize, latkem.SeedSize, 32}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, not %v", set, got, want)
		}
	}
	if dk := must[*latkem.ParameterSet](t)(latkem.FindParameterSet("ML-KEM-768")).DecapsulationKeySize(); dk != 2400 {
		t.Errorf("an expanded key of %d bytes", dk)
	}
}

func TestWrongLengthsOfTypes(t *testing.T) {
	for _, s := range both {
		key := must[closer](t)(s.generate())
		calls := map[string]struct {
			size int
			call func([]byte) error
		}{
			"a seed":               {64, func(b []byte) error { _, err := s.fromSeed(b); return err }},
			"an encapsulation key": {s.ek, func(b []byte) error { _, err := s.public(b); return err }},
			"a ciphertext":         {s.ct, func(b []byte) error { _, err := key.Decapsulate(b); return err }},
		}
		for what, c := range calls {
			wrongLengths(t, s.name, what, c.size, c.call)
		}
	}
}

// wrongLengths tries every length up to twice the right one, and nil.
func wrongLengths(t *testing.T, set, what string, right int, call func([]byte) error) {
	t.Helper()
	for n := -1; n <= 2*right; n++ {
		var b []byte
		if n >= 0 {
			b = make([]byte, n)
		}
		if n == right {
			continue
		}
		err := call(b)
		want := fmt.Sprintf("%s: %s has %d bytes, not %d", set, what, right, max(n, 0))
		if !errors.Is(err, latkem.ErrInvalidLength) || err.Error() != want {
			t.Fatalf("%q, not %q", err, want)
		}
	}
}

func TestInvalidPublicKey(t *testing.T) {
	for _, s := range both {
		ek := bytes.Repeat([]byte{0xff}, s.ek)
		if _, err := s.public(ek); !errors.Is(err, latkem.ErrInvalidEncapsulationKey) {
			t.Error(err)
		}
	}
}

func TestClosedTypes(t *testing.T) {
	for _, s := range both {
		key := must[closer](t)(s.generate())
		ek := key.Encapsulator().Bytes()
		_, ct := key.Encapsulator().Encapsulate()
		if err := errors.Join(key.Close(), key.Close()); err != nil {
			t.Error(err)
		}
		if ss, err := key.Decapsulate(ct); ss != nil || !errors.Is(err, latkem.ErrClosed) {
			t.Error(ss, err)
		}
		if seed := key.Bytes(); seed != nil {
			t.Error("a closed key gave its seed")
		}
		equal(t, "the public key of a closed key", key.Encapsulator().Bytes(), ek)
	}
}

func TestPrinting(t *testing.T) {
	seed := bytes.Repeat([]byte{0xd7, 0xe3}, 32)
	key := must[*latkem.DecapsulationKey768](t)(latkem.NewDecapsulationKey768(seed))
	for _, value := range []any{key, *key, key.EncapsulationKey(), &struct{ Key any }{key}} {
		text := fmt.Sprintf("%v %+v %#v %s %x %X %q %d", value, value, value, value, value, value, value, value)
		text += string(must[[]byte](t)(json.Marshal(value)))
		for _, form := range []string{"d7e3", "D7E3", "\xd7\xe3", "215 227", "0xd7, 0xe3", hex.EncodeToString(seed)} {
			if strings.Contains(text, form) {
				t.Errorf("%T is printed as %s", value, text)
			}
		}
	}
	if text := fmt.Sprintf("%v %#v", key, key); !strings.Contains(text, "ML-KEM-768") {
		t.Error(text)
	}
}

func TestHPKE(t *testing.T) {
	key := must[*latkem.DecapsulationKey768](t)(latkem.GenerateKey768())
	private := must[hpke.PrivateKey](t)(hpke.NewMLKEMPrivateKey(key.StdDecapsulator()))
	sealed := must[[]byte](t)(hpke.Seal(private.PublicKey(), hpke.HKDFSHA256(), hpke.AES128GCM(), nil, []byte("text")))
	opened := must[[]byte](t)(hpke.Open(private, hpke.HKDFSHA256(), hpke.AES128GCM(), nil, sealed))
	equal(t, "texts", opened, []byte("text"))
	other := must[*latkem.DecapsulationKey1024](t)(latkem.GenerateKey1024())
	exchange(t, other.StdDecapsulator().Encapsulator(), other)
	if err := errors.Join(key.Close(), other.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := hpke.Open(private, hpke.HKDFSHA256(), hpke.AES128GCM(), nil, sealed); !errors.Is(err, latkem.ErrClosed) {
		t.Error(err)
	}
}
