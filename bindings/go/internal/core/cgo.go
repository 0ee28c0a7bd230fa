//go:build cgo

package core

/*
#cgo noescape set_at
#cgo nocallback set_at
#cgo noescape generate
#cgo nocallback generate
#cgo noescape prepare_ek
#cgo nocallback prepare_ek
#cgo noescape prepare_dk
#cgo nocallback prepare_dk
#cgo noescape encaps
#cgo nocallback encaps
#cgo noescape decaps
#cgo nocallback decaps
#cgo noescape latkem_keypair_derand
#cgo nocallback latkem_keypair_derand
#cgo noescape latkem_check_ek
#cgo nocallback latkem_check_ek
#cgo noescape latkem_check_dk
#cgo nocallback latkem_check_dk
#cgo noescape latkem_encaps
#cgo nocallback latkem_encaps
#cgo noescape latkem_encaps_derand
#cgo nocallback latkem_encaps_derand
#cgo noescape latkem_decaps
#cgo nocallback latkem_decaps
#cgo noescape latkem_keypair_batch
#cgo nocallback latkem_keypair_batch
#cgo noescape latkem_encaps_batch
#cgo nocallback latkem_encaps_batch
#cgo noescape latkem_decaps_batch
#cgo nocallback latkem_decaps_batch
#cgo noescape latkem_public_key_write
#cgo nocallback latkem_public_key_write
#cgo noescape latkem_private_key_write
#cgo nocallback latkem_private_key_write
#cgo noescape latkem_public_key_read
#cgo nocallback latkem_public_key_read
#cgo noescape latkem_private_key_read
#cgo nocallback latkem_private_key_read

#include "latkem_backend.h"
#include "latkem_batch.h"
#include "latkem_derand.h"
#include "latkem_keyfile.h"
#include "latkem_prepared.h"

typedef struct {
    const latkem_kem *kem;
    const char *name, *family;
    int level, standard;
    size_t ek, dk, ct, ss, seed, coins, prepared_ek, prepared_dk;
} set_facts;

static int set_at(size_t index, set_facts *set)
{
    const latkem_kem *kem = latkem_kem_at(index);
    if (!kem) return 0;
    *set = (set_facts){kem,
                       latkem_kem_name(kem),
                       latkem_kem_family(kem),
                       latkem_kem_level(kem),
                       latkem_kem_is_standard(kem),
                       latkem_ek_bytes(kem),
                       latkem_dk_bytes(kem),
                       latkem_ct_bytes(kem),
                       latkem_ss_bytes(kem),
                       latkem_seed_bytes(kem),
                       latkem_coins_bytes(kem),
                       latkem_prepared_ek_bytes(kem),
                       latkem_prepared_dk_bytes(kem)};
    return 1;
}

// Without room for a seed the key pair has none that is kept.
static int generate(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, uint8_t *seed, size_t seed_len)
{
    if (!seed_len) return latkem_keypair(kem, ek, dk);
    int error = latkem_system_rng(NULL, seed, seed_len);
    return error ? LATKEM_ERR_RNG : latkem_keypair_derand(kem, ek, dk, seed, seed_len);
}

// Prepared keys as bytes: cgo looks for Go pointers behind a void pointer, and none of these holds one.
static int prepare_ek(const latkem_kem *kem, uint8_t *prepared, const uint8_t *ek, size_t ek_len)
{
    return latkem_prepare_ek(kem, prepared, ek, ek_len);
}

static int prepare_dk(const latkem_kem *kem, uint8_t *prepared, const uint8_t *dk, size_t dk_len)
{
    return latkem_prepare_dk(kem, prepared, dk, dk_len);
}

static int encaps(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *prepared)
{
    return latkem_encaps_prepared(kem, ct, ss, prepared);
}

static int decaps(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len, const uint8_t *prepared)
{
    return latkem_decaps_prepared(kem, ss, ct, ct_len, prepared);
}
*/
import "C"

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

// behindEK is the length of what follows the encapsulation key inside an expanded decapsulation key of all families but
// NTRU: a hash, and z.
const behindEK = 64

type engine struct {
	kem                    *C.latkem_kem
	preparedEK, preparedDK int
}

// Sets returns the parameter sets of the library.
var Sets = sync.OnceValue(func() (sets []*Set) {
	for facts := (C.set_facts{}); C.set_at(C.size_t(len(sets)), &facts) != 0; {
		sets = append(sets, &Set{
			Name: C.GoString(facts.name), Family: C.GoString(facts.family),
			Level: int(facts.level), Standard: facts.standard != 0,
			EKSize: int(facts.ek), DKSize: int(facts.dk), CTSize: int(facts.ct), SSSize: int(facts.ss),
			SeedSize: int(facts.seed), CoinsSize: int(facts.coins),
			engine: engine{facts.kem, int(facts.prepared_ek), int(facts.prepared_dk)},
		})
	}
	return sets
})

// Version returns the version of the library.
func Version() string { return C.GoString(C.latkem_version()) }

// Backend returns the name of the backend in force.
func Backend() string { return C.GoString(C.latkem_backend_name()) }

func pointer(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }

func size(b []byte) C.size_t { return C.size_t(len(b)) }

func check(code C.int) error {
	switch code {
	case C.LATKEM_OK:
		return nil
	case C.LATKEM_ERR_EK:
		return ErrInvalidEncapsulationKey
	case C.LATKEM_ERR_DK:
		return ErrInvalidDecapsulationKey
	case C.LATKEM_ERR_RNG:
		return ErrRandom
	case C.LATKEM_ERR_FORMAT:
		return ErrInvalidKeyFile
	}
	return fmt.Errorf("latkem: %s", C.GoString(C.latkem_strerror(code)))
}

// prepared is the expanded form of a key, which its first operation makes.
type prepared struct {
	once   sync.Once
	memory []byte
	err    error
}

// aligned returns memory that begins where a line of the cache does, by which vector code reads it.
func aligned(n int) []byte {
	const line = 64
	memory := make([]byte, n+line-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % line)
	return memory[skip : skip+n : skip+n]
}

// Private is a decapsulation key. Its secrets lie on the heap, in memory that C and Go never move.
type Private struct {
	Set      *Set
	secret   []byte // everything of the two that follow
	seed, dk []byte
	public   *Public // nil where it has to be read from the expanded key
	prepared prepared
}

func newPrivate(set *Set, seedSize, dkSize int) *Private {
	secret := make([]byte, seedSize+dkSize)
	return &Private{Set: set, secret: secret, seed: secret[:seedSize], dk: secret[seedSize:]}
}

// kept returns the key, or wipes it where there is an error.
func (p *Private) kept(code C.int) (*Private, error) {
	if err := check(code); err != nil {
		p.Wipe()
		return nil, err
	}
	return p, nil
}

// Wipe erases the secrets.
func (p *Private) Wipe() {
	clear(p.secret)
	clear(p.prepared.memory)
}

// newPair returns room for a key pair. Only ML-KEM keeps the seed, because only it defines the seed to be a private key.
func (s *Set) newPair() (*Private, []byte) {
	kept := 0
	if s.Standard {
		kept = s.SeedSize
	}
	p := newPrivate(s, kept, s.DKSize)
	p.public = &Public{Set: s, ek: make([]byte, s.EKSize)}
	return p, p.public.ek
}

// Generate makes a key.
func (s *Set) Generate() (*Private, error) {
	p, ek := s.newPair()
	return p.kept(C.generate(s.kem, pointer(ek), pointer(p.dk), pointer(p.seed), size(p.seed)))
}

// FromSeed makes the key of a seed.
func (s *Set) FromSeed(seed []byte) (*Private, error) {
	p, ek := s.newPair()
	copy(p.seed, seed)
	return p.kept(C.latkem_keypair_derand(s.kem, pointer(ek), pointer(p.dk), pointer(seed), size(seed)))
}

// FromExpanded checks and copies an expanded key.
func (s *Set) FromExpanded(dk []byte) (*Private, error) {
	p := newPrivate(s, 0, s.DKSize)
	copy(p.dk, dk)
	return p.kept(C.latkem_check_dk(s.kem, pointer(p.dk), size(p.dk)))
}

func (p *Private) ekInside() []byte {
	if p.Set.Family == "NTRU" {
		return nil
	}
	end := len(p.dk) - behindEK
	return p.dk[end-p.Set.EKSize : end]
}

// Public returns the encapsulation key. One inside an expanded key is checked, because the expanded key's own check is
// of its hash alone.
func (p *Private) Public() (*Public, error) {
	if p.public != nil {
		return p.public, nil
	}
	ek := p.ekInside()
	if ek == nil {
		return nil, ErrNoKey
	}
	return p.Set.NewPublic(ek)
}

// Expanded returns a copy of the expanded key.
func (p *Private) Expanded() ([]byte, error) { return slices.Clone(p.dk), nil }

// Seed returns a copy of the seed.
func (p *Private) Seed() ([]byte, error) {
	if len(p.seed) == 0 {
		return nil, ErrNoSeed
	}
	return slices.Clone(p.seed), nil
}

// Decapsulate writes the shared key of a ciphertext.
func (p *Private) Decapsulate(ss, ct []byte) error {
	kem := p.Set.kem
	p.prepared.once.Do(func() {
		p.prepared.memory = aligned(p.Set.preparedDK)
		p.prepared.err = check(C.prepare_dk(kem, pointer(p.prepared.memory), pointer(p.dk), size(p.dk)))
	})
	if p.prepared.err != nil {
		return p.prepared.err
	}
	return check(C.decaps(kem, pointer(ss), pointer(ct), size(ct), pointer(p.prepared.memory)))
}

// Marshal returns a key file with a form of keyfile.h.
func (p *Private) Marshal(form int) ([]byte, error) {
	key := p.seed
	if len(key) == 0 {
		key = p.dk
		if form != C.LATKEM_FORM_EXPANDED {
			return nil, ErrNoSeed
		}
	}
	der := make([]byte, C.LATKEM_PRIVATE_KEY_DER_MAX)
	n := size(der)
	err := check(C.latkem_private_key_write(p.Set.kem, C.int(form), pointer(der), &n, pointer(key), size(key)))
	return der[:n:n], err
}

func setOf(kem *C.latkem_kem) *Set {
	sets := Sets()
	return sets[slices.IndexFunc(sets, func(set *Set) bool { return set.kem == kem })]
}

// ParsePrivate reads a key file.
func ParsePrivate(der []byte) (*Private, error) {
	if len(der) == 0 {
		return nil, ErrInvalidKeyFile
	}
	p := newPrivate(nil, C.LATKEM_MLKEM_SEED_BYTES, C.LATKEM_MLKEM_DK_MAX)
	var kem *C.latkem_kem
	var form C.int
	seed, dk := size(p.seed), size(p.dk)
	code := C.latkem_private_key_read(&kem, &form, pointer(p.seed), &seed, pointer(p.dk), &dk, pointer(der), size(der))
	if _, err := p.kept(code); err != nil {
		return nil, err
	}
	p.Set, p.seed, p.dk = setOf(kem), p.seed[:seed], p.dk[:dk]
	if seed > 0 {
		p.public = &Public{Set: p.Set, ek: slices.Clone(p.ekInside())}
	}
	return p, nil
}

// Public is an encapsulation key.
type Public struct {
	Set      *Set
	ek       []byte
	prepared prepared
}

// NewPublic checks and copies an encapsulation key.
func (s *Set) NewPublic(ek []byte) (*Public, error) {
	ek = slices.Clone(ek)
	if err := check(C.latkem_check_ek(s.kem, pointer(ek), size(ek))); err != nil {
		return nil, err
	}
	return &Public{Set: s, ek: ek}, nil
}

// Bytes returns the key itself.
func (p *Public) Bytes() []byte { return p.ek }

// Encapsulate writes a shared key and its ciphertext.
func (p *Public) Encapsulate(ss, ct []byte) error {
	kem := p.Set.kem
	p.prepared.once.Do(func() {
		p.prepared.memory = aligned(p.Set.preparedEK)
		p.prepared.err = check(C.prepare_ek(kem, pointer(p.prepared.memory), pointer(p.ek), size(p.ek)))
	})
	if p.prepared.err != nil {
		return p.prepared.err
	}
	return check(C.encaps(kem, pointer(ct), pointer(ss), pointer(p.prepared.memory)))
}

// Marshal returns a key file.
func (p *Public) Marshal() ([]byte, error) {
	der := make([]byte, C.LATKEM_PUBLIC_KEY_DER_MAX)
	n := size(der)
	err := check(C.latkem_public_key_write(p.Set.kem, pointer(der), &n, pointer(p.ek), size(p.ek)))
	return der[:n:n], err
}

// ParsePublic reads a key file.
func ParsePublic(der []byte) (*Public, error) {
	if len(der) == 0 {
		return nil, ErrInvalidKeyFile
	}
	ek := make([]byte, C.LATKEM_MLKEM_EK_MAX)
	var kem *C.latkem_kem
	n := size(ek)
	if err := check(C.latkem_public_key_read(&kem, pointer(ek), &n, pointer(der), size(der))); err != nil {
		return nil, err
	}
	return &Public{Set: setOf(kem), ek: ek[:n:n]}, nil
}

// Encapsulate is the operation on bytes.
func (s *Set) Encapsulate(ss, ct, ek []byte) error {
	return check(C.latkem_encaps(s.kem, pointer(ct), pointer(ss), pointer(ek), size(ek)))
}

// EncapsulateDerand is the same with given randomness.
func (s *Set) EncapsulateDerand(ss, ct, ek, coins []byte) error {
	return check(C.latkem_encaps_derand(s.kem, pointer(ct), pointer(ss), pointer(ek), size(ek), pointer(coins), size(coins)))
}

// Decapsulate is the operation on bytes.
func (s *Set) Decapsulate(ss, ct, dk []byte) error {
	return check(C.latkem_decaps(s.kem, pointer(ss), pointer(ct), size(ct), pointer(dk), size(dk)))
}

// GenerateBatch makes n > 0 key pairs.
func (s *Set) GenerateBatch(n int, eks, dks []byte) error {
	return check(C.latkem_keypair_batch(s.kem, C.size_t(n), pointer(eks), pointer(dks)))
}

// EncapsulateBatch encapsulates to n > 0 keys.
func (s *Set) EncapsulateBatch(n int, cts, sss, eks []byte) error {
	return check(C.latkem_encaps_batch(s.kem, C.size_t(n), pointer(cts), pointer(sss), pointer(eks)))
}

// DecapsulateBatch decapsulates n > 0 ciphertexts.
func (s *Set) DecapsulateBatch(n int, sss, cts, dks []byte) error {
	return check(C.latkem_decaps_batch(s.kem, C.size_t(n), pointer(sss), pointer(cts), pointer(dks)))
}
