// Go's end of the interoperation, on its standard library alone: ML-KEM, the hybrids of TLS, which crypto/tls puts together
// in the same way out of crypto/mlkem and crypto/ecdh, and HPKE. A line of words on stdin is a call, a line on stdout its
// results, as with latkem's end. A private key is the number of one that is kept here, but in HPKE.
// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bufio"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/mlkem"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A privateKey decapsulates.
type privateKey func(ct []byte) ([]byte, error)

// A kem makes key pairs and encapsulates.
type kem struct {
	keypair func() ([]byte, privateKey, error)
	encaps  func(ek []byte) (ct, ss []byte, err error)
}

// ---- ML-KEM ----

func generate768() ([]byte, privateKey, error) {
	key, err := mlkem.GenerateKey768()
	if err != nil {
		return nil, nil, err
	}
	return key.EncapsulationKey().Bytes(), key.Decapsulate, nil
}

func encaps768(ek []byte) ([]byte, []byte, error) {
	key, err := mlkem.NewEncapsulationKey768(ek)
	if err != nil {
		return nil, nil, err
	}
	ss, ct := key.Encapsulate()
	return ct, ss, nil
}

func generate1024() ([]byte, privateKey, error) {
	key, err := mlkem.GenerateKey1024()
	if err != nil {
		return nil, nil, err
	}
	return key.EncapsulationKey().Bytes(), key.Decapsulate, nil
}

func encaps1024(ek []byte) ([]byte, []byte, error) {
	key, err := mlkem.NewEncapsulationKey1024(ek)
	if err != nil {
		return nil, nil, err
	}
	ss, ct := key.Encapsulate()
	return ct, ss, nil
}

// ---- Hybrids of TLS ----

// A hybrid is ML-KEM and a curve side by side, in every object in the same order.
type hybrid struct {
	kem
	curve      ecdh.Curve
	share      int
	curveFirst bool
}

func (h hybrid) join(mlkem, curve []byte) []byte {
	if h.curveFirst {
		return append(append([]byte{}, curve...), mlkem...)
	}
	return append(append([]byte{}, mlkem...), curve...)
}

func (h hybrid) split(object []byte) (mlkem, curve []byte, err error) {
	if len(object) < h.share {
		return nil, nil, errors.New("too short")
	}
	if h.curveFirst {
		return object[h.share:], object[:h.share], nil
	}
	at := len(object) - h.share
	return object[:at], object[at:], nil
}

func (h hybrid) agree(own *ecdh.PrivateKey, share []byte) ([]byte, error) {
	peer, err := h.curve.NewPublicKey(share)
	if err != nil {
		return nil, err
	}
	return own.ECDH(peer)
}

func (h hybrid) generate() ([]byte, privateKey, error) {
	own, err := h.curve.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	ek, decaps, err := h.keypair()
	if err != nil {
		return nil, nil, err
	}
	return h.join(ek, own.PublicKey().Bytes()), func(ct []byte) ([]byte, error) {
		part, share, err := h.split(ct)
		if err != nil {
			return nil, err
		}
		first, err := decaps(part)
		if err != nil {
			return nil, err
		}
		second, err := h.agree(own, share)
		return h.join(first, second), err
	}, nil
}

func (h hybrid) encapsulate(ek []byte) (ct, ss []byte, err error) {
	part, share, err := h.split(ek)
	if err != nil {
		return nil, nil, err
	}
	own, err := h.curve.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	ct, first, err := h.encaps(part)
	if err != nil {
		return nil, nil, err
	}
	second, err := h.agree(own, share)
	return h.join(ct, own.PublicKey().Bytes()), h.join(first, second), err
}

func (h hybrid) kemOf() kem { return kem{h.generate, h.encapsulate} }

var mlkem768, mlkem1024 = kem{generate768, encaps768}, kem{generate1024, encaps1024}

var kems = map[string]kem{
	"ML-KEM-768":         mlkem768,
	"ML-KEM-1024":        mlkem1024,
	"X25519MLKEM768":     hybrid{mlkem768, ecdh.X25519(), 32, false}.kemOf(),
	"SecP256r1MLKEM768":  hybrid{mlkem768, ecdh.P256(), 65, true}.kemOf(),
	"SecP384r1MLKEM1024": hybrid{mlkem1024, ecdh.P384(), 97, true}.kemOf(),
}

// ---- Calls ----

// words are those of a line that are still to be read. A line that lacks some is a fault of the test.
type words []string

func (w *words) text() string {
	first := (*w)[0]
	*w = (*w)[1:]
	return first
}

func (w *words) number() uint16 {
	number, err := strconv.ParseUint(w.text(), 10, 16)
	if err != nil {
		panic(err)
	}
	return uint16(number)
}

func (w *words) bytes() []byte {
	text := w.text()
	if text == "-" {
		return nil
	}
	bytes, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return bytes
}

type results [][]byte

var keys []privateKey

func keypair(w *words) (results, error) {
	ek, key, err := kems[w.text()].keypair()
	keys = append(keys, key)
	return results{ek, {byte((len(keys) - 1) >> 8), byte(len(keys) - 1)}}, err
}

func encaps(w *words) (results, error) {
	ct, ss, err := kems[w.text()].encaps(w.bytes())
	return results{ct, ss}, err
}

func decaps(w *words) (results, error) {
	w.text()
	ct, place := w.bytes(), w.bytes()
	ss, err := keys[int(place[0])<<8|int(place[1])](ct)
	return results{ss}, err
}

// ---- HPKE ----

type exporter interface {
	Export(string, int) ([]byte, error)
}

var sending *hpke.Sender
var receiving *hpke.Recipient

type suite struct {
	kem  hpke.KEM
	kdf  hpke.KDF
	aead hpke.AEAD
}

func suiteOf(w *words) (s suite, err error) {
	if s.kem, err = hpke.NewKEM(w.number()); err != nil {
		return
	}
	if s.kdf, err = hpke.NewKDF(w.number()); err != nil {
		return
	}
	s.aead, err = hpke.NewAEAD(w.number())
	return
}

func deriveKeypair(w *words) (results, error) {
	kem, err := hpke.NewKEM(w.number())
	if err != nil {
		return nil, err
	}
	key, err := kem.DeriveKeyPair(w.bytes())
	if err != nil {
		return nil, err
	}
	sk, err := key.Bytes()
	return results{key.PublicKey().Bytes(), sk}, err
}

func sender(w *words) (results, error) {
	s, err := suiteOf(w)
	if err != nil {
		return nil, err
	}
	key, err := s.kem.NewPublicKey(w.bytes())
	if err != nil {
		return nil, err
	}
	enc, context, err := hpke.NewSender(key, s.kdf, s.aead, w.bytes())
	sending = context
	return results{enc}, err
}

func recipient(w *words) (results, error) {
	s, err := suiteOf(w)
	if err != nil {
		return nil, err
	}
	enc := w.bytes()
	key, err := s.kem.NewPrivateKey(w.bytes())
	if err != nil {
		return nil, err
	}
	receiving, err = hpke.NewRecipient(enc, key, s.kdf, s.aead, w.bytes())
	return results{nil}, err
}

func seal(w *words) (results, error) {
	ct, err := sending.Seal(w.bytes(), w.bytes())
	return results{ct}, err
}

func open(w *words) (results, error) {
	pt, err := receiving.Open(w.bytes(), w.bytes())
	return results{pt}, err
}

func export(w *words) (results, error) {
	var from exporter = receiving
	if w.text() == "sender" {
		from = sending
	}
	length := int(w.number())
	secret, err := from.Export(string(w.bytes()), length)
	return results{secret}, err
}

var calls = map[string]func(*words) (results, error){
	"keypair": keypair, "encaps": encaps, "decaps": decaps,
	"derive_keypair": deriveKeypair, "sender": sender, "recipient": recipient,
	"seal": seal, "open": open, "export": export,
}

func answer(line string) string {
	w := words(strings.Fields(line))
	found, err := calls[w.text()](&w)
	if err != nil {
		return "error " + err.Error()
	}
	texts := make([]string, len(found))
	for i, result := range found {
		if texts[i] = hex.EncodeToString(result); len(result) == 0 {
			texts[i] = "-"
		}
	}
	return strings.Join(texts, " ")
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Println(answer(lines.Text()))
	}
}
