package latkem_test

import (
	"bytes"
	"fmt"
	"log"

	"latkem.org/latkem"
)

func Example() {
	alice, err := latkem.GenerateKey768()
	if err != nil {
		log.Fatal(err)
	}
	defer alice.Close()
	public := alice.EncapsulationKey().Bytes() // Alice publishes her encapsulation key

	bob, err := latkem.NewEncapsulationKey768(public)
	if err != nil {
		log.Fatal(err)
	}
	sent, ciphertext := bob.Encapsulate()          // Bob sends the ciphertext
	received, err := alice.Decapsulate(ciphertext) // and both have the shared key
	fmt.Println(err == nil && bytes.Equal(sent, received))
	// Output: true
}
