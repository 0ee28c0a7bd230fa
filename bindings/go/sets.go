package latkem

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"latkem.org/latkem/internal/core"
)

// ParameterSet is a parameter set. There is one pointer for each.
type ParameterSet struct{ set *core.Set }

var parameterSets = sync.OnceValue(func() (sets []*ParameterSet) {
	for _, set := range core.Sets() {
		sets = append(sets, &ParameterSet{set})
	}
	return sets
})

func parameterSet(set *core.Set) *ParameterSet {
	for _, p := range parameterSets() {
		if p.set == set {
			return p
		}
	}
	panic("latkem: a parameter set that is in no list")
}

// ParameterSets returns the parameter sets: sixteen, and two without cgo.
func ParameterSets() []*ParameterSet { return append([]*ParameterSet(nil), parameterSets()...) }

// FindParameterSet returns the set of that exact name, as in "ML-KEM-768".
func FindParameterSet(name string) (*ParameterSet, error) {
	for _, p := range parameterSets() {
		if p.set.Name == name {
			return p, nil
		}
	}
	if core.Backend() == "crypto/mlkem" {
		return nil, fmt.Errorf("latkem: parameter set %q without cgo: %w", name, errors.ErrUnsupported)
	}
	return nil, fmt.Errorf("latkem: no parameter set %q", name)
}

// String returns the name.
func (p *ParameterSet) String() string { return p.set.Name }

// Family returns "ML-KEM", "Kyber", "Kyber-90s", "Saber" or "NTRU".
func (p *ParameterSet) Family() string { return p.set.Family }

// Level returns the security category of NIST: 1, 3 or 5.
func (p *ParameterSet) Level() int { return p.set.Level }

// IsStandard reports whether a published standard has the set (FIPS 203). The others are for research.
func (p *ParameterSet) IsStandard() bool { return p.set.Standard }

// EncapsulationKeySize returns the bytes of an encapsulation key.
func (p *ParameterSet) EncapsulationKeySize() int { return p.set.EKSize }

// DecapsulationKeySize returns the bytes of an expanded decapsulation key.
func (p *ParameterSet) DecapsulationKeySize() int { return p.set.DKSize }

// CiphertextSize returns the bytes of a ciphertext.
func (p *ParameterSet) CiphertextSize() int { return p.set.CTSize }

// SharedKeySize returns the bytes of a shared key.
func (p *ParameterSet) SharedKeySize() int { return p.set.SSSize }

// SeedSize returns the bytes of randomness from which a key is made.
func (p *ParameterSet) SeedSize() int { return p.set.SeedSize }

// CoinsSize returns the bytes of randomness that an encapsulation takes.
func (p *ParameterSet) CoinsSize() int { return p.set.CoinsSize }

func (p *ParameterSet) check(what string, expected int, bytes []byte) error {
	if len(bytes) != expected {
		return &lengthError{p.set.Name, what, expected, len(bytes)}
	}
	return nil
}

// GenerateKey makes a key with the operating system's random generator.
func (p *ParameterSet) GenerateKey() (*DecapsulationKey, error) {
	return newDecapsulationKey(p.set.Generate())
}

// NewDecapsulationKeyFromSeed makes the key of a seed. Of ML-KEM it is d || z, 64 bytes.
func (p *ParameterSet) NewDecapsulationKeyFromSeed(seed []byte) (*DecapsulationKey, error) {
	if err := p.check(aSeed, p.set.SeedSize, seed); err != nil {
		return nil, err
	}
	return newDecapsulationKey(p.set.FromSeed(seed))
}

// NewDecapsulationKey checks an expanded decapsulation key (FIPS 203 section 7.3) and copies it.
func (p *ParameterSet) NewDecapsulationKey(dk []byte) (*DecapsulationKey, error) {
	if err := p.check(aDK, p.set.DKSize, dk); err != nil {
		return nil, err
	}
	return newDecapsulationKey(p.set.FromExpanded(dk))
}

// NewEncapsulationKey checks an encapsulation key (FIPS 203 section 7.2) and copies it.
func (p *ParameterSet) NewEncapsulationKey(ek []byte) (*EncapsulationKey, error) {
	if err := p.check(anEK, p.set.EKSize, ek); err != nil {
		return nil, err
	}
	return newEncapsulationKey(p.set.NewPublic(ek))
}

// outputs returns what write has written to a new shared key and a new ciphertext.
func (p *ParameterSet) outputs(write func(ss, ct []byte) error) (sharedKey, ciphertext []byte, err error) {
	sharedKey, ciphertext = make([]byte, p.set.SSSize), make([]byte, p.set.CTSize)
	if err := write(sharedKey, ciphertext); err != nil {
		return nil, nil, err
	}
	return sharedKey, ciphertext, nil
}

// Encapsulate makes a shared key, and the ciphertext that carries it to the owner of ek, which is checked.
func (p *ParameterSet) Encapsulate(ek []byte) (sharedKey, ciphertext []byte, err error) {
	if err := p.check(anEK, p.set.EKSize, ek); err != nil {
		return nil, nil, err
	}
	return p.outputs(func(ss, ct []byte) error { return p.set.Encapsulate(ss, ct, ek) })
}

// EncapsulateDerand is Encapsulate with given randomness, for tests.
func (p *ParameterSet) EncapsulateDerand(ek, randomness []byte) (sharedKey, ciphertext []byte, err error) {
	if err := p.check(anEK, p.set.EKSize, ek); err != nil {
		return nil, nil, err
	}
	if err := p.check(coins, p.set.CoinsSize, randomness); err != nil {
		return nil, nil, err
	}
	return p.outputs(func(ss, ct []byte) error { return p.set.EncapsulateDerand(ss, ct, ek, randomness) })
}

// Decapsulate recovers a shared key with an expanded decapsulation key, which is checked.
func (p *ParameterSet) Decapsulate(dk, ciphertext []byte) (sharedKey []byte, err error) {
	if err := p.check(aDK, p.set.DKSize, dk); err != nil {
		return nil, err
	}
	if err := p.check(aCT, p.set.CTSize, ciphertext); err != nil {
		return nil, err
	}
	sharedKey = make([]byte, p.set.SSSize)
	if err := p.set.Decapsulate(sharedKey, ciphertext, dk); err != nil {
		return nil, err
	}
	return sharedKey, nil
}

// column is one argument of a batch: objects of a size, one after the other.
type column struct {
	what  string
	size  int
	bytes []byte
}

// count returns how many objects the columns have; the first one says it.
func (p *ParameterSet) count(keys column, others ...column) (int, error) {
	n := len(keys.bytes) / keys.size
	if rest := len(keys.bytes) % keys.size; rest != 0 {
		return 0, &lengthError{p.set.Name, keys.what, len(keys.bytes) - rest + keys.size, len(keys.bytes)}
	}
	for _, c := range others {
		if err := p.check(c.what, n*c.size, c.bytes); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// disjoint refuses outputs that overlap each other or an input, before anything is written.
func (p *ParameterSet) disjoint(outputs int, slices ...[]byte) error {
	for i, a := range slices[:outputs] {
		for _, b := range slices[i+1:] {
			if overlap(a, b) {
				return fmt.Errorf("latkem: %s: the buffers overlap", p.set.Name)
			}
		}
	}
	return nil
}

func overlap(a, b []byte) bool {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return len(a) > 0 && len(b) > 0 && x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}

// GenerateBatch fills arrays with key pairs: as many as fit into eks. The batches write nothing if lengths do not fit
// each other or buffers overlap. If a key is not valid they return that error; its results are zeroed, and all others are
// complete.
func (p *ParameterSet) GenerateBatch(eks, dks []byte) error {
	n, err := p.count(column{theEKs, p.set.EKSize, eks}, column{theDKs, p.set.DKSize, dks})
	if err == nil {
		err = p.disjoint(2, eks, dks)
	}
	if err != nil || n == 0 {
		return err
	}
	return p.set.GenerateBatch(n, eks, dks)
}

// EncapsulateBatch encapsulates once to each of eks.
func (p *ParameterSet) EncapsulateBatch(ciphertexts, sharedKeys, eks []byte) error {
	n, err := p.count(column{theEKs, p.set.EKSize, eks}, column{theCTs, p.set.CTSize, ciphertexts},
		column{theSSs, p.set.SSSize, sharedKeys})
	if err == nil {
		err = p.disjoint(2, ciphertexts, sharedKeys, eks)
	}
	if err != nil || n == 0 {
		return err
	}
	return p.set.EncapsulateBatch(n, ciphertexts, sharedKeys, eks)
}

// DecapsulateBatch decapsulates each ciphertext with the expanded key at its place.
func (p *ParameterSet) DecapsulateBatch(sharedKeys, ciphertexts, dks []byte) error {
	n, err := p.count(column{theDKs, p.set.DKSize, dks}, column{theCTs, p.set.CTSize, ciphertexts},
		column{theSSs, p.set.SSSize, sharedKeys})
	if err == nil {
		err = p.disjoint(1, sharedKeys, ciphertexts, dks)
	}
	if err != nil || n == 0 {
		return err
	}
	return p.set.DecapsulateBatch(n, sharedKeys, ciphertexts, dks)
}
