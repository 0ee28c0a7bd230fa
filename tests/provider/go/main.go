// Go's end of TLS, on its standard library alone. A line of words on stdin is a call, a line on stdout its result.
// Usage: go_end KEY CERTIFICATE. SPDX-License-Identifier: Apache-2.0
package main

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
)

var groups = map[string]tls.CurveID{
	"X25519":             tls.X25519,
	"X25519MLKEM768":     tls.X25519MLKEM768,
	"SecP256r1MLKEM768":  tls.SecP256r1MLKEM768,
	"SecP384r1MLKEM1024": tls.SecP384r1MLKEM1024,
}

var reports = make(chan string, 1024)

func settings(names string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true}
	for _, name := range strings.Split(names, ":") {
		id, ok := groups[name]
		if !ok {
			return nil, errors.New("no group " + name)
		}
		config.CurvePreferences = append(config.CurvePreferences, id)
	}
	return config, nil
}

func reversed(line string) string {
	bytes := []byte(line)
	for i, j := 0, len(bytes)-1; i < j; i, j = i+1, j-1 {
		bytes[i], bytes[j] = bytes[j], bytes[i]
	}
	return string(bytes)
}

func readLine(connection net.Conn) (string, error) {
	line, err := bufio.NewReader(connection).ReadString('\n')
	return strings.TrimSpace(line), err
}

func answerLine(connection *tls.Conn) string {
	defer connection.Close()
	line, err := readLine(connection)
	if err == nil {
		_, err = fmt.Fprintln(connection, reversed(line))
	}
	if err != nil {
		return "error " + err.Error()
	}
	return fmt.Sprint(connection.ConnectionState().CurveID, " ", line)
}

func serve(names string) (string, error) {
	config, err := settings(names)
	if err != nil {
		return "", err
	}
	pair, err := tls.LoadX509KeyPair(os.Args[2], os.Args[1])
	if err != nil {
		return "", err
	}
	config.Certificates = []tls.Certificate{pair}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		return "", err
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			reports <- answerLine(connection.(*tls.Conn))
		}
	}()
	return fmt.Sprint(listener.Addr().(*net.TCPAddr).Port), nil
}

func connect(port, names, word string) (string, error) {
	config, err := settings(names)
	if err != nil {
		return "", err
	}
	connection, err := tls.Dial("tcp", "127.0.0.1:"+port, config)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	if _, err := fmt.Fprintln(connection, word); err != nil {
		return "", err
	}
	line, err := readLine(connection)
	return fmt.Sprint(connection.ConnectionState().CurveID, " ", line), err
}

func call(words []string) (string, error) {
	switch words[0] {
	case "version":
		return runtime.Version(), nil
	case "serve":
		return serve(words[1])
	case "accepted":
		answer := <-reports
		return answer, nil
	case "connect":
		return connect(words[1], words[2], words[3])
	}
	return "", errors.New("no call " + words[0])
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer, err := call(strings.Fields(lines.Text()))
		if err != nil {
			answer = "error " + strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		fmt.Println(answer)
	}
}
