// Package core holds what the package latkem needs of its engine: the C library where there is cgo, and crypto/mlkem
// where there is none. Callers have checked all lengths, and lock. SPDX-License-Identifier: Apache-2.0
package core

import "errors"

// The errors of latkem, which documents them.
var (
	ErrInvalidEncapsulationKey = errors.New("latkem: invalid encapsulation key")
	ErrInvalidDecapsulationKey = errors.New("latkem: invalid decapsulation key")
	ErrInvalidKeyFile          = errors.New("latkem: invalid key file")
	ErrNoSeed                  = errors.New("latkem: the seed of this decapsulation key is not known")
	ErrNoKey                   = errors.New("latkem: this decapsulation key does not hold its encapsulation key")
	ErrRandom                  = errors.New("latkem: the random generator failed")
)

// Set is a parameter set.
type Set struct {
	Name, Family string
	Level        int
	Standard     bool
	EKSize       int
	DKSize       int
	CTSize       int
	SSSize       int
	SeedSize     int
	CoinsSize    int
	engine
}
