package latkem

import (
	"bytes"
	"crypto"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"latkem.org/latkem/internal/core"
)

// DecapsulationKey is the private key of any set. It holds its expanded form, of ML-KEM its seed if it is known, and from
// the first decapsulation on a form that is faster to use.
type DecapsulationKey struct {
	mu      sync.RWMutex // Close waits for those who are inside
	closed  bool
	private *core.Private
	cleanup runtime.Cleanup
}

func newDecapsulationKey(private *core.Private, err error) (*DecapsulationKey, error) {
	if err != nil {
		return nil, err
	}
	dk := &DecapsulationKey{private: private}
	dk.cleanup = runtime.AddCleanup(dk, (*core.Private).Wipe, private)
	return dk, nil
}

// Close wipes the key once all who use it have left. Later use is ErrClosed. Closing again does nothing.
func (dk *DecapsulationKey) Close() error {
	dk.mu.Lock()
	defer dk.mu.Unlock()
	if !dk.closed {
		dk.closed = true
		dk.cleanup.Stop()
		dk.private.Wipe()
	}
	return nil
}

// use runs f while the key cannot be closed or collected.
func (dk *DecapsulationKey) use(f func(*core.Private) error) error {
	dk.mu.RLock()
	defer dk.mu.RUnlock()
	if dk.closed {
		return ErrClosed
	}
	return f(dk.private)
}

// copied is use for what returns bytes.
func (dk *DecapsulationKey) copied(f func(*core.Private) ([]byte, error)) (out []byte, err error) {
	err = dk.use(func(private *core.Private) (err error) {
		out, err = f(private)
		return err
	})
	return out, err
}

// ParameterSet returns the set.
func (dk *DecapsulationKey) ParameterSet() *ParameterSet { return parameterSet(dk.private.Set) }

// EncapsulationKey returns the public key. A key of NTRU that was made from its expanded form does not hold it: ErrNoKey.
func (dk *DecapsulationKey) EncapsulationKey() (ek *EncapsulationKey, err error) {
	err = dk.use(func(private *core.Private) (err error) {
		ek, err = newEncapsulationKey(private.Public())
		return err
	})
	return ek, err
}

// Decapsulate recovers the shared key of a ciphertext.
func (dk *DecapsulationKey) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	sharedKey = make([]byte, dk.private.Set.SSSize)
	if err := dk.DecapsulateTo(sharedKey, ciphertext); err != nil {
		return nil, err
	}
	return sharedKey, nil
}

// DecapsulateTo is Decapsulate into memory of the caller.
func (dk *DecapsulationKey) DecapsulateTo(sharedKey, ciphertext []byte) error {
	p := ParameterSet{dk.private.Set}
	if err := p.check(aCT, p.set.CTSize, ciphertext); err != nil {
		return err
	}
	if err := p.check(anSS, p.set.SSSize, sharedKey); err != nil {
		return err
	}
	if err := p.disjoint(1, sharedKey, ciphertext); err != nil {
		return err
	}
	return dk.use(func(private *core.Private) error { return private.Decapsulate(sharedKey, ciphertext) })
}

// Bytes returns the expanded key. It must be kept secret.
func (dk *DecapsulationKey) Bytes() ([]byte, error) { return dk.copied((*core.Private).Expanded) }

// Seed returns the seed d || z of ML-KEM, or ErrNoSeed. It must be kept secret.
func (dk *DecapsulationKey) Seed() ([]byte, error) { return dk.copied((*core.Private).Seed) }

// PrivateKeyForm is the contents of a private key's file (RFC 9935).
type PrivateKeyForm int

// The forms of a private key's file.
const (
	FormSeed     PrivateKeyForm = iota + 1 // the seed, which every reader takes
	FormExpanded                           // the expanded key
	FormBoth                               // the two together
)

func noFiles(set *core.Set) error {
	if set.Standard {
		return nil
	}
	return fmt.Errorf("latkem: %s has no standard key files: %w", set.Name, errors.ErrUnsupported)
}

// MarshalPKCS8 returns the key as PKCS #8. Only ML-KEM has key files. A key without its seed has the expanded form alone.
func (dk *DecapsulationKey) MarshalPKCS8(form PrivateKeyForm) ([]byte, error) {
	if err := noFiles(dk.private.Set); err != nil {
		return nil, err
	}
	if form < FormSeed || form > FormBoth {
		return nil, fmt.Errorf("latkem: %d is not the form of a key file", int(form))
	}
	return dk.copied(func(private *core.Private) ([]byte, error) { return private.Marshal(int(form)) })
}

// ParsePKCS8 reads a private key of ML-KEM. Everything that the file says twice is compared.
func ParsePKCS8(der []byte) (*DecapsulationKey, error) {
	return newDecapsulationKey(core.ParsePrivate(der))
}

// Format prints the name of the set, whatever the verb.
func (dk *DecapsulationKey) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "latkem.DecapsulationKey(%s)", dk.private.Set.Name)
}

// EncapsulationKey is the public key of any set. Its first encapsulation makes a form that is faster to use.
type EncapsulationKey struct{ public *core.Public }

func newEncapsulationKey(public *core.Public, err error) (*EncapsulationKey, error) {
	if err != nil {
		return nil, err
	}
	return &EncapsulationKey{public}, nil
}

// ParameterSet returns the set.
func (ek *EncapsulationKey) ParameterSet() *ParameterSet { return parameterSet(ek.public.Set) }

// Bytes returns the key.
func (ek *EncapsulationKey) Bytes() []byte { return slices.Clone(ek.public.Bytes()) }

// Encapsulate makes a shared key, and the ciphertext that carries it to the owner of the decapsulation key. It panics if
// the random generator fails.
func (ek *EncapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) {
	p := ParameterSet{ek.public.Set}
	sharedKey, ciphertext, err := p.outputs(ek.public.Encapsulate)
	if err != nil {
		panic(err)
	}
	return sharedKey, ciphertext
}

// Equal reports whether other is the same key of the same set.
func (ek *EncapsulationKey) Equal(other crypto.PublicKey) bool {
	key, ok := other.(*EncapsulationKey)
	return ok && ek.public.Set == key.public.Set && bytes.Equal(ek.public.Bytes(), key.public.Bytes())
}

// MarshalPKIX returns the key as SubjectPublicKeyInfo. Only ML-KEM has key files.
func (ek *EncapsulationKey) MarshalPKIX() ([]byte, error) {
	if err := noFiles(ek.public.Set); err != nil {
		return nil, err
	}
	return ek.public.Marshal()
}

// ParsePKIX reads a public key of ML-KEM.
func ParsePKIX(der []byte) (*EncapsulationKey, error) {
	return newEncapsulationKey(core.ParsePublic(der))
}

// Format prints the name of the set, whatever the verb.
func (ek *EncapsulationKey) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "latkem.EncapsulationKey(%s)", ek.public.Set.Name)
}

// Encapsulator returns the public key, and nil where EncapsulationKey is an error. It implements crypto.Decapsulator.
func (dk *DecapsulationKey) Encapsulator() crypto.Encapsulator {
	ek, err := dk.EncapsulationKey()
	if err != nil {
		return nil
	}
	return ek
}

var (
	_ crypto.Decapsulator = (*DecapsulationKey)(nil)
	_ crypto.Encapsulator = (*EncapsulationKey)(nil)
)
