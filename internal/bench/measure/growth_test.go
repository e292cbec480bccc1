package measure

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

// power costs a known power of its size.
func power(k float64) func(int) (time.Duration, error) {
	return func(size int) (time.Duration, error) {
		return time.Duration(100 * math.Pow(float64(size), k)), nil
	}
}

func TestTheExponentIsThatOfThePower(t *testing.T) {
	g := Growth{Name: "work", Unit: "items", Sizes: []int{10, 100, 1000, 10_000, 100_000}, Ways: []Way{
		{"constant", power(0)}, {"linear", power(1)}, {"quadratic", power(2)},
	}}
	curves, err := g.Run(2)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1, 2} {
		if got := curves[i].Exponent; math.Abs(got-want) > 0.01 {
			t.Errorf("%s: got %.3f, want %.0f", curves[i].Name, got, want)
		}
	}
}

func TestAWayThatFailsEndsTheMeasurement(t *testing.T) {
	broken := errors.New("broken")
	g := Growth{Name: "work", Sizes: []int{1}, Ways: []Way{{"fails", func(int) (time.Duration, error) { return 0, broken }}}}
	if _, err := g.Run(1); !errors.Is(err, broken) {
		t.Errorf("got %v, want it to be %v", err, broken)
	}
}

func TestAPlotIsAPictureWithAPointForEachSize(t *testing.T) {
	g := Growth{Name: "a < b & c", Unit: "items", Sizes: []int{1, 10, 100, 1000, 10_000}, Ways: []Way{{"ours", power(1)}, {"theirs", power(1.5)}}}
	curves, err := g.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	var picture strings.Builder
	if err := g.Plot(&picture, curves); err != nil {
		t.Fatal(err)
	}
	circles := 0
	decoder := xml.NewDecoder(strings.NewReader(picture.String()))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the picture is not well-formed: %v", err)
		}
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 10 {
		t.Errorf("got %d points, want 10", circles)
	}
	for _, want := range []string{"10,000", "ours (exponent 1.00)", "theirs (exponent 1.50)"} {
		if !strings.Contains(picture.String(), want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	for _, bad := range []string{"NaN", "Inf"} {
		if strings.Contains(picture.String(), bad) {
			t.Errorf("the picture has %s in it", bad)
		}
	}
}
