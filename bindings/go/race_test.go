//go:build race

package latkem_test

const raceDetector = true
