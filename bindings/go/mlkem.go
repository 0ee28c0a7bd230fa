package latkem

import (
	"crypto"
	"crypto/mlkem"
	"fmt"
)

// The sizes of ML-KEM in bytes.
const (
	SharedKeySize            = 32
	SeedSize                 = 64
	EncapsulationKeySize512  = 800
	CiphertextSize512        = 768
	EncapsulationKeySize768  = 1184
	CiphertextSize768        = 1088
	EncapsulationKeySize1024 = 1568
	CiphertextSize1024       = 1568
)

// decapsulationKey is what the private keys of ML-KEM share. Each is made from a seed, and so knows its public key.
type decapsulationKey struct{ key *DecapsulationKey }

// Bytes returns the seed, d || z, or nil of a closed key. It must be kept secret.
func (dk *decapsulationKey) Bytes() []byte {
	seed, err := dk.key.Seed()
	if err != nil {
		return nil
	}
	return seed
}

// Decapsulate recovers the shared key of a ciphertext. One that was altered gives a pseudo-random shared key.
func (dk *decapsulationKey) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	return dk.key.Decapsulate(ciphertext)
}

// Close wipes the key once all who use it have left. Later use is ErrClosed; the public key can still be had.
func (dk *decapsulationKey) Close() error { return dk.key.Close() }

// Format prints the name of the set, whatever the verb.
func (dk *decapsulationKey) Format(state fmt.State, verb rune) { dk.key.Format(state, verb) }

func (dk *decapsulationKey) public() encapsulationKey {
	public, err := dk.key.private.Public()
	if err != nil {
		panic(err)
	}
	return encapsulationKey{&EncapsulationKey{public}}
}

func generate(name string) (decapsulationKey, error) {
	set, err := FindParameterSet(name)
	if err != nil {
		return decapsulationKey{}, err
	}
	key, err := set.GenerateKey()
	return decapsulationKey{key}, err
}

func fromSeed(name string, seed []byte) (decapsulationKey, error) {
	set, err := FindParameterSet(name)
	if err != nil {
		return decapsulationKey{}, err
	}
	key, err := set.NewDecapsulationKeyFromSeed(seed)
	return decapsulationKey{key}, err
}

// encapsulationKey is what the public keys of ML-KEM share.
type encapsulationKey struct{ key *EncapsulationKey }

// Bytes returns the key.
func (ek *encapsulationKey) Bytes() []byte { return ek.key.Bytes() }

// Encapsulate makes a shared key, and the ciphertext that carries it to the owner of the decapsulation key. It panics if
// the random generator fails.
func (ek *encapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) { return ek.key.Encapsulate() }

// Format prints the name of the set, whatever the verb.
func (ek *encapsulationKey) Format(state fmt.State, verb rune) { ek.key.Format(state, verb) }

func fromBytes(name string, bytes []byte) (encapsulationKey, error) {
	set, err := FindParameterSet(name)
	if err != nil {
		return encapsulationKey{}, err
	}
	key, err := set.NewEncapsulationKey(bytes)
	return encapsulationKey{key}, err
}

// standard decapsulates for those who ask for a public key of crypto/mlkem.
type standard struct {
	*decapsulationKey
	ek crypto.Encapsulator
}

func (s standard) Encapsulator() crypto.Encapsulator { return s.ek }

func newStandard(dk *decapsulationKey, ek crypto.Encapsulator, err error) crypto.Decapsulator {
	if err != nil {
		panic(err) // both libraries check FIPS 203 section 7.2
	}
	return standard{dk, ek}
}

// DecapsulationKey512 is a private key of ML-KEM-512.
type DecapsulationKey512 struct{ decapsulationKey }

// EncapsulationKey512 is a public key of ML-KEM-512.
type EncapsulationKey512 struct{ encapsulationKey }

// GenerateKey512 makes a key with the operating system's random generator.
func GenerateKey512() (*DecapsulationKey512, error) {
	key, err := generate("ML-KEM-512")
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey512{key}, nil
}

// NewDecapsulationKey512 makes the key of a seed, d || z.
func NewDecapsulationKey512(seed []byte) (*DecapsulationKey512, error) {
	key, err := fromSeed("ML-KEM-512", seed)
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey512{key}, nil
}

// NewEncapsulationKey512 checks an encapsulation key and copies it.
func NewEncapsulationKey512(encapsulationKey []byte) (*EncapsulationKey512, error) {
	key, err := fromBytes("ML-KEM-512", encapsulationKey)
	if err != nil {
		return nil, err
	}
	return &EncapsulationKey512{key}, nil
}

// EncapsulationKey returns the public key.
func (dk *DecapsulationKey512) EncapsulationKey() *EncapsulationKey512 {
	return &EncapsulationKey512{dk.public()}
}

// Encapsulator returns the public key. It implements crypto.Decapsulator.
func (dk *DecapsulationKey512) Encapsulator() crypto.Encapsulator { return dk.EncapsulationKey() }

// DecapsulationKey768 is a private key of ML-KEM-768.
type DecapsulationKey768 struct{ decapsulationKey }

// EncapsulationKey768 is a public key of ML-KEM-768.
type EncapsulationKey768 struct{ encapsulationKey }

// GenerateKey768 makes a key with the operating system's random generator.
func GenerateKey768() (*DecapsulationKey768, error) {
	key, err := generate("ML-KEM-768")
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey768{key}, nil
}

// NewDecapsulationKey768 makes the key of a seed, d || z.
func NewDecapsulationKey768(seed []byte) (*DecapsulationKey768, error) {
	key, err := fromSeed("ML-KEM-768", seed)
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey768{key}, nil
}

// NewEncapsulationKey768 checks an encapsulation key and copies it.
func NewEncapsulationKey768(encapsulationKey []byte) (*EncapsulationKey768, error) {
	key, err := fromBytes("ML-KEM-768", encapsulationKey)
	if err != nil {
		return nil, err
	}
	return &EncapsulationKey768{key}, nil
}

// EncapsulationKey returns the public key.
func (dk *DecapsulationKey768) EncapsulationKey() *EncapsulationKey768 {
	return &EncapsulationKey768{dk.public()}
}

// Encapsulator returns the public key. It implements crypto.Decapsulator.
func (dk *DecapsulationKey768) Encapsulator() crypto.Encapsulator { return dk.EncapsulationKey() }

// StdDecapsulator returns the key for packages such as crypto/hpke, which take only a private key whose public key is a
// *mlkem.EncapsulationKey768.
func (dk *DecapsulationKey768) StdDecapsulator() crypto.Decapsulator {
	ek, err := mlkem.NewEncapsulationKey768(dk.public().key.public.Bytes())
	return newStandard(&dk.decapsulationKey, ek, err)
}

// DecapsulationKey1024 is a private key of ML-KEM-1024.
type DecapsulationKey1024 struct{ decapsulationKey }

// EncapsulationKey1024 is a public key of ML-KEM-1024.
type EncapsulationKey1024 struct{ encapsulationKey }

// GenerateKey1024 makes a key with the operating system's random generator.
func GenerateKey1024() (*DecapsulationKey1024, error) {
	key, err := generate("ML-KEM-1024")
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey1024{key}, nil
}

// NewDecapsulationKey1024 makes the key of a seed, d || z.
func NewDecapsulationKey1024(seed []byte) (*DecapsulationKey1024, error) {
	key, err := fromSeed("ML-KEM-1024", seed)
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey1024{key}, nil
}

// NewEncapsulationKey1024 checks an encapsulation key and copies it.
func NewEncapsulationKey1024(encapsulationKey []byte) (*EncapsulationKey1024, error) {
	key, err := fromBytes("ML-KEM-1024", encapsulationKey)
	if err != nil {
		return nil, err
	}
	return &EncapsulationKey1024{key}, nil
}

// EncapsulationKey returns the public key.
func (dk *DecapsulationKey1024) EncapsulationKey() *EncapsulationKey1024 {
	return &EncapsulationKey1024{dk.public()}
}

// Encapsulator returns the public key. It implements crypto.Decapsulator.
func (dk *DecapsulationKey1024) Encapsulator() crypto.Encapsulator { return dk.EncapsulationKey() }

// StdDecapsulator returns the key for packages such as crypto/hpke, which take only a private key whose public key is a
// *mlkem.EncapsulationKey1024.
func (dk *DecapsulationKey1024) StdDecapsulator() crypto.Decapsulator {
	ek, err := mlkem.NewEncapsulationKey1024(dk.public().key.public.Bytes())
	return newStandard(&dk.decapsulationKey, ek, err)
}
