//go:build cgo

package latkem_test

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"latkem.org/latkem"
)

// octets is bytes that a file writes in hexadecimal digits.
type octets []byte

func (o *octets) UnmarshalText(text []byte) (err error) {
	*o, err = hex.DecodeString(string(text))
	return err
}

// read parses a file of test vectors, which latkem's own tree has.
func read(t *testing.T, name string, into any) {
	t.Helper()
	folder := os.Getenv("LATKEM_VECTORS")
	if folder == "" {
		t.Skip("LATKEM_VECTORS does not name a folder with test vectors")
	}
	if err := json.Unmarshal(must[[]byte](t)(os.ReadFile(filepath.Join(folder, name))), into); err != nil {
		t.Fatal(err)
	}
}

// groups is a file of ACVP or Wycheproof.
type groups struct {
	TestGroups []struct {
		ParameterSet, Function, KeyFormat string
		Tests                             []struct {
			TcID          int
			D, Z, EK, DK  octets
			M, C, K, Seed octets
			TestPassed    bool
			Result        string
		}
	}
}

// One digest over a hundred rounds of key generation, encapsulation, decapsulation and rejection.
func TestAccumulated(t *testing.T) {
	const rounds = 100
	var facts struct {
		Sets []struct {
			Name        string
			Accumulated []struct {
				Rounds int
				WithDK octets `json:"with_dk"`
			}
		}
	}
	read(t, "sets.json", &facts)
	if len(facts.Sets) != len(latkem.ParameterSets()) {
		t.Fatal(len(facts.Sets))
	}
	for _, fact := range facts.Sets {
		set, stream, digest := find(t, fact.Name), sha3.NewSHAKE128(), sha3.NewSHAKE128()
		take := func(n int) []byte {
			b := make([]byte, n)
			stream.Read(b)
			return b
		}
		for range rounds {
			dk := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKeyFromSeed(take(set.SeedSize())))
			ek := must[*latkem.EncapsulationKey](t)(dk.EncapsulationKey()).Bytes()
			ss, ct, err := set.EncapsulateDerand(ek, take(set.CoinsSize()))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, fact.Name, ss, must[[]byte](t)(dk.Decapsulate(ct)))
			rejected := must[[]byte](t)(dk.Decapsulate(take(set.CiphertextSize())))
			for _, part := range [][]byte{ek, must[[]byte](t)(dk.Bytes()), ct, ss, rejected} {
				digest.Write(part)
			}
		}
		got, found := make([]byte, 32), false
		digest.Read(got)
		for _, one := range fact.Accumulated {
			if one.Rounds == rounds {
				equal(t, fact.Name, got, one.WithDK)
				found = true
			}
		}
		if !found {
			t.Errorf("%s: no digest of %d rounds", set, rounds)
		}
	}
}

func TestACVPKeyGeneration(t *testing.T) {
	var file groups
	read(t, "acvp/ML-KEM-keyGen-FIPS203/internalProjection.json", &file)
	count := 0
	for _, group := range file.TestGroups {
		for _, test := range group.Tests {
			seed := append(bytes.Clone(test.D), test.Z...)
			dk := must[*latkem.DecapsulationKey](t)(find(t, group.ParameterSet).NewDecapsulationKeyFromSeed(seed))
			equal(t, "dk", must[[]byte](t)(dk.Bytes()), test.DK)
			equal(t, "ek", must[*latkem.EncapsulationKey](t)(dk.EncapsulationKey()).Bytes(), test.EK)
			equal(t, "seed", must[[]byte](t)(dk.Seed()), seed)
			count++
		}
	}
	if count < 30 {
		t.Errorf("%d cases", count)
	}
}

func TestACVPEncapsulationAndDecapsulation(t *testing.T) {
	count := 0
	for _, name := range []string{"ML-KEM-encapDecap-FIPS203", "ML-KEM-encapDecap-FIPS203-tr1"} {
		var file groups
		read(t, "acvp/"+name+"/internalProjection.json", &file)
		for _, group := range file.TestGroups {
			set := find(t, group.ParameterSet)
			for _, test := range group.Tests {
				count++
				switch {
				case group.Function == "encapsulation":
					ss, ct, err := set.EncapsulateDerand(test.EK, test.M)
					if err != nil {
						t.Fatal(err)
					}
					equal(t, "ct", ct, test.C)
					equal(t, "ss", ss, test.K)
				case group.Function == "decapsulation" && group.KeyFormat == "seed":
					seed := append(bytes.Clone(test.D), test.Z...)
					dk := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKeyFromSeed(seed))
					equal(t, "ss", must[[]byte](t)(dk.Decapsulate(test.C)), test.K)
				case group.Function == "decapsulation":
					equal(t, "ss", must[[]byte](t)(set.Decapsulate(test.DK, test.C)), test.K)
					dk := must[*latkem.DecapsulationKey](t)(set.NewDecapsulationKey(test.DK))
					equal(t, "ss", must[[]byte](t)(dk.Decapsulate(test.C)), test.K)
				case group.Function == "decapsulationKeyCheck":
					if _, err := set.NewDecapsulationKey(test.DK); (err == nil) != test.TestPassed {
						t.Error(test.TcID, err)
					}
				case group.Function == "encapsulationKeyCheck":
					if _, err := set.NewEncapsulationKey(test.EK); (err == nil) != test.TestPassed {
						t.Error(test.TcID, err)
					}
				default:
					t.Fatal(group.Function)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("%d cases", count)
	}
}

func TestWycheproof(t *testing.T) {
	accepted, refused := 0, 0
	for _, level := range []int{512, 1024} {
		for _, name := range []string{"encaps", "keygen_seed", "semi_expanded_decaps"} {
			var file groups
			read(t, fmt.Sprintf("wycheproof/mlkem_%d_%s_test.json", level, name), &file)
			for _, group := range file.TestGroups {
				set := find(t, group.ParameterSet)
				for _, test := range group.Tests {
					var err error
					switch name {
					case "encaps":
						var ss, ct []byte
						if ss, ct, err = set.EncapsulateDerand(test.EK, test.M); err == nil {
							equal(t, "ct", ct, test.C)
							equal(t, "ss", ss, test.K)
						}
					case "keygen_seed":
						var dk *latkem.DecapsulationKey
						if dk, err = set.NewDecapsulationKeyFromSeed(test.Seed); err == nil {
							equal(t, "dk", must[[]byte](t)(dk.Bytes()), test.DK)
						}
					default:
						var ss []byte
						var dk *latkem.DecapsulationKey
						if dk, err = set.NewDecapsulationKey(test.DK); err == nil {
							if ss, err = dk.Decapsulate(test.C); err == nil {
								equal(t, "ss", ss, test.K)
							}
						}
					}
					if (err == nil) != (test.Result == "valid") {
						t.Error(name, test.TcID, err)
					}
					if err == nil {
						accepted++
					} else {
						refused++
					}
				}
			}
		}
	}
	if accepted < 200 || refused < 200 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
}

// Keys with a coefficient of 3329 or more, at each place. Kyber takes every key.
func TestKeysThatAreNotReduced(t *testing.T) {
	folder := os.Getenv("LATKEM_VECTORS")
	if folder == "" {
		t.Skip("LATKEM_VECTORS does not name a folder with test vectors")
	}
	for ours, kyber := range map[string]string{"ML-KEM-512": "Kyber512", "ML-KEM-1024": "Kyber1024"} {
		text := must[[]byte](t)(os.ReadFile(filepath.Join(folder, "cctv/modulus", ours+".txt")))
		lines := strings.Fields(string(text))
		if len(lines) < 700 {
			t.Fatal(len(lines))
		}
		for _, line := range lines {
			ek := must[[]byte](t)(hex.DecodeString(line))
			if _, err := find(t, ours).NewEncapsulationKey(ek); !errors.Is(err, latkem.ErrInvalidEncapsulationKey) {
				t.Fatal(err)
			}
			if _, err := find(t, kyber).NewEncapsulationKey(ek); err != nil {
				t.Fatal(err)
			}
		}
	}
}

type keyFile struct {
	What, Set, Kind, Form, Error string
	DER, Seed                    octets
}

func readPrivate(t *testing.T, file keyFile) error {
	dk, err := latkem.ParsePKCS8(file.DER)
	if err != nil {
		return err
	}
	if seed, err := dk.Seed(); dk.ParameterSet().String() != file.Set || !bytes.Equal(seed, file.Seed) ||
		(err == nil) != (len(file.Seed) > 0) {
		t.Errorf("%s: %v, %v", file.What, dk, err)
	}
	exchange(t, must[*latkem.EncapsulationKey](t)(dk.EncapsulationKey()), dk)
	form, known := map[string]latkem.PrivateKeyForm{"seed": latkem.FormSeed, "both": latkem.FormBoth}[file.Form]
	if !known {
		form = latkem.FormExpanded
	}
	der := must[[]byte](t)(dk.MarshalPKCS8(form))
	again := must[*latkem.DecapsulationKey](t)(latkem.ParsePKCS8(der))
	equal(t, file.What, must[[]byte](t)(again.Bytes()), must[[]byte](t)(dk.Bytes()))
	return nil
}

func readPublic(t *testing.T, file keyFile) error {
	ek, err := latkem.ParsePKIX(file.DER)
	if err == nil {
		equal(t, file.What, must[[]byte](t)(ek.MarshalPKIX()), file.DER)
		if ek.ParameterSet().String() != file.Set {
			t.Error(file.What)
		}
	}
	return err
}

func TestKeyFiles(t *testing.T) {
	var vectors struct{ Files []keyFile }
	read(t, "hybrid/keyfiles.json", &vectors)
	accepted, refused := 0, 0
	for _, file := range vectors.Files {
		reader := readPublic
		if file.Kind == "private" {
			reader = readPrivate
		}
		want, known := map[string]error{
			"": nil, "LATKEM_ERR_FORMAT": latkem.ErrInvalidKeyFile,
			"LATKEM_ERR_DK": latkem.ErrInvalidDecapsulationKey, "LATKEM_ERR_EK": latkem.ErrInvalidEncapsulationKey,
		}[file.Error]
		if file.Set == "X-Wing" {
			want, known = latkem.ErrInvalidKeyFile, true
		}
		if err := reader(t, file); !known || !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, not %v", file.What, err, want)
		}
		if want == nil {
			accepted++
		} else {
			refused++
		}
	}
	if accepted < 30 || refused < 80 {
		t.Errorf("%d read, %d refused", accepted, refused)
	}
}
