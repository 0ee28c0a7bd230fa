// Package latkem offers the lattice key-encapsulation mechanisms ML-KEM (FIPS 203), Kyber round 3, Kyber-90s, Saber and
// NTRU, in vector code written for x86-64 and AArch64.
//
// Most programs use ML-KEM-768 through [DecapsulationKey768] and [EncapsulationKey768], which have the shape of those in
// crypto/mlkem. [ParameterSet] offers all sixteen sets, batches and key files.
//
// A build needs cgo and gcc or clang. Without cgo the types of ML-KEM-768 and ML-KEM-1024 are crypto/mlkem's behind the
// same names, [ParameterSets] returns these two, and all else returns [errors.ErrUnsupported].
//
// Everything may be used from several goroutines at once. A decapsulation key is wiped by Close, or when it is collected.
package latkem

import (
	"errors"
	"fmt"

	"latkem.org/latkem/internal/core"
)

// Errors, for errors.Is. A wrong length is an error of its own kind, which names the parameter set, the thing and both
// lengths. A ciphertext of the right length is never an error: one that was altered gives a pseudo-random shared key.
var (
	ErrInvalidLength           = errors.New("latkem: invalid length")
	ErrInvalidEncapsulationKey = core.ErrInvalidEncapsulationKey
	ErrInvalidDecapsulationKey = core.ErrInvalidDecapsulationKey
	ErrInvalidKeyFile          = core.ErrInvalidKeyFile
	ErrNoSeed                  = core.ErrNoSeed // the key was made from its expanded form, or is not of ML-KEM
	ErrNoKey                   = core.ErrNoKey  // an expanded key of NTRU does not hold its encapsulation key
	ErrClosed                  = errors.New("latkem: the decapsulation key is closed")
	ErrRandom                  = core.ErrRandom
)

type lengthError struct {
	set, what        string
	expected, actual int
}

func (e *lengthError) Error() string {
	return fmt.Sprintf("%s: %s has %d bytes, not %d", e.set, e.what, e.expected, e.actual)
}

func (e *lengthError) Is(target error) bool { return target == ErrInvalidLength }

const (
	anEK   = "an encapsulation key"
	aDK    = "a decapsulation key"
	aCT    = "a ciphertext"
	anSS   = "a shared key"
	aSeed  = "a seed"
	coins  = "the randomness of an encapsulation"
	theEKs = "a batch of encapsulation keys"
	theDKs = "a batch of decapsulation keys"
	theCTs = "a batch of ciphertexts"
	theSSs = "a batch of shared keys"
)

// Version returns the version of latkem.
func Version() string { return core.Version() }

// Backend returns the name of the code that runs: "portable", "avx2", "avx512", "neon" or another of the library, and
// "crypto/mlkem" without cgo.
func Backend() string { return core.Backend() }
