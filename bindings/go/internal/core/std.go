//go:build !cgo

package core

import (
	"crypto"
	"crypto/mlkem"
	"crypto/mlkem/mlkemtest"
	"errors"
	"slices"
)

// key is a decapsulation key of crypto/mlkem.
type key interface {
	crypto.Decapsulator
	Bytes() []byte
}

type engine struct {
	generate func() (key, error)
	fromSeed func(seed []byte) (key, error)
	public   func(ek []byte) (crypto.Encapsulator, error)
	derand   func(ek, coins []byte) (sharedKey, ciphertext []byte, err error)
}

// coinsSize is the length of m (FIPS 203 algorithm 20).
const coinsSize = 32

// set has the sizes of FIPS 203: the encapsulation key is dk_PKE's length and 32 bytes more, and the expanded key is
// dk_PKE, the encapsulation key, a hash and z (algorithms 13 and 16).
func set(name string, level, ekSize, ctSize int, engine engine) *Set {
	return &Set{
		Name: name, Family: "ML-KEM", Level: level, Standard: true,
		EKSize: ekSize, DKSize: ekSize - 32 + ekSize + 64, CTSize: ctSize, SSSize: mlkem.SharedKeySize,
		SeedSize: mlkem.SeedSize, CoinsSize: coinsSize, engine: engine,
	}
}

var sets = []*Set{
	set("ML-KEM-768", 3, mlkem.EncapsulationKeySize768, mlkem.CiphertextSize768, engine{
		func() (key, error) { return mlkem.GenerateKey768() },
		func(seed []byte) (key, error) { return mlkem.NewDecapsulationKey768(seed) },
		func(ek []byte) (crypto.Encapsulator, error) { return mlkem.NewEncapsulationKey768(ek) },
		func(ek, coins []byte) ([]byte, []byte, error) {
			public, err := mlkem.NewEncapsulationKey768(ek)
			if err != nil {
				return nil, nil, ErrInvalidEncapsulationKey
			}
			return mlkemtest.Encapsulate768(public, coins)
		},
	}),
	set("ML-KEM-1024", 5, mlkem.EncapsulationKeySize1024, mlkem.CiphertextSize1024, engine{
		func() (key, error) { return mlkem.GenerateKey1024() },
		func(seed []byte) (key, error) { return mlkem.NewDecapsulationKey1024(seed) },
		func(ek []byte) (crypto.Encapsulator, error) { return mlkem.NewEncapsulationKey1024(ek) },
		func(ek, coins []byte) ([]byte, []byte, error) {
			public, err := mlkem.NewEncapsulationKey1024(ek)
			if err != nil {
				return nil, nil, ErrInvalidEncapsulationKey
			}
			return mlkemtest.Encapsulate1024(public, coins)
		},
	}),
}

// Sets returns the parameter sets of the standard library.
func Sets() []*Set { return sets }

// Version returns the version of this module.
func Version() string { return "0.2.0" }

// Backend returns what does the work.
func Backend() string { return "crypto/mlkem" }

// Private is a decapsulation key. Go cannot wipe what crypto/mlkem holds.
type Private struct {
	Set    *Set
	key    key
	public *Public
}

func private(set *Set, key key, err error) (*Private, error) {
	if err != nil {
		return nil, err
	}
	return &Private{set, key, &Public{set, key.Encapsulator()}}, nil
}

// Wipe lets go of the key.
func (p *Private) Wipe() { p.key = nil }

// Generate makes a key.
func (s *Set) Generate() (*Private, error) {
	key, err := s.generate()
	return private(s, key, err)
}

// FromSeed makes the key of a seed.
func (s *Set) FromSeed(seed []byte) (*Private, error) {
	key, err := s.fromSeed(seed)
	return private(s, key, err)
}

// FromExpanded is not in the standard library.
func (s *Set) FromExpanded([]byte) (*Private, error) { return nil, errors.ErrUnsupported }

// Public returns the encapsulation key.
func (p *Private) Public() (*Public, error) { return p.public, nil }

// Expanded is not in the standard library.
func (p *Private) Expanded() ([]byte, error) { return nil, errors.ErrUnsupported }

// Seed returns a copy of the seed.
func (p *Private) Seed() ([]byte, error) { return slices.Clone(p.key.Bytes()), nil }

// Decapsulate writes the shared key of a ciphertext.
func (p *Private) Decapsulate(ss, ct []byte) error {
	sharedKey, err := p.key.Decapsulate(ct)
	copy(ss, sharedKey)
	clear(sharedKey)
	return err
}

// Marshal is not in the standard library.
func (p *Private) Marshal(int) ([]byte, error) { return nil, errors.ErrUnsupported }

// ParsePrivate is not in the standard library.
func ParsePrivate([]byte) (*Private, error) { return nil, errors.ErrUnsupported }

// Public is an encapsulation key.
type Public struct {
	Set *Set
	key crypto.Encapsulator
}

// NewPublic checks an encapsulation key.
func (s *Set) NewPublic(ek []byte) (*Public, error) {
	key, err := s.public(ek)
	if err != nil {
		return nil, ErrInvalidEncapsulationKey
	}
	return &Public{s, key}, nil
}

// Bytes returns the key.
func (p *Public) Bytes() []byte { return p.key.Bytes() }

// Encapsulate writes a shared key and its ciphertext.
func (p *Public) Encapsulate(ss, ct []byte) error {
	sharedKey, ciphertext := p.key.Encapsulate()
	copy(ss, sharedKey)
	copy(ct, ciphertext)
	clear(sharedKey)
	return nil
}

// Marshal is not in the standard library.
func (p *Public) Marshal() ([]byte, error) { return nil, errors.ErrUnsupported }

// ParsePublic is not in the standard library.
func ParsePublic([]byte) (*Public, error) { return nil, errors.ErrUnsupported }

// Encapsulate is the operation on bytes.
func (s *Set) Encapsulate(ss, ct, ek []byte) error {
	public, err := s.NewPublic(ek)
	if err != nil {
		return err
	}
	return public.Encapsulate(ss, ct)
}

// EncapsulateDerand is the same with given randomness.
func (s *Set) EncapsulateDerand(ss, ct, ek, coins []byte) error {
	sharedKey, ciphertext, err := s.derand(ek, coins)
	copy(ss, sharedKey)
	copy(ct, ciphertext)
	clear(sharedKey)
	return err
}

// Decapsulate is not in the standard library, which takes no expanded key.
func (s *Set) Decapsulate(_, _, _ []byte) error { return errors.ErrUnsupported }

// GenerateBatch is not in the standard library, which gives no expanded key.
func (s *Set) GenerateBatch(int, []byte, []byte) error { return errors.ErrUnsupported }

// EncapsulateBatch encapsulates to each key in turn.
func (s *Set) EncapsulateBatch(n int, cts, sss, eks []byte) (err error) {
	for i := range n {
		ss, ct := sss[i*s.SSSize:][:s.SSSize], cts[i*s.CTSize:][:s.CTSize]
		if failed := s.Encapsulate(ss, ct, eks[i*s.EKSize:][:s.EKSize]); failed != nil {
			err = failed
			clear(ss)
			clear(ct)
		}
	}
	return err
}

// DecapsulateBatch is not in the standard library.
func (s *Set) DecapsulateBatch(int, []byte, []byte, []byte) error { return errors.ErrUnsupported }
