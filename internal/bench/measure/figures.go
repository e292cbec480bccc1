package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
)

// Figures are allocations a step, by the name of the work. Unlike times they are
// the same on every machine, so a change of them is a change of the code.
type Figures map[string]float64

// slack is what the benchmark's own frame and the runtime may add to a step.
const slack = 0.05

// Allocations measures the works.
func Allocations(works map[string]Work) (Figures, error) {
	figures := Figures{}
	for name, work := range works {
		cost, err := work.Cost()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		figures[name] = math.Round(cost.Allocs*10) / 10
	}
	return figures, nil
}

// Worse lists what allocates more than it did, and what has no figure on one of
// the sides.
func (got Figures) Worse(want Figures) []string {
	var worse []string
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if figure, ok := want[name]; !ok {
			worse = append(worse, fmt.Sprintf("%s: %.2f allocations a step, and no figure to compare with", name, got[name]))
		} else if got[name] > figure+slack {
			worse = append(worse, fmt.Sprintf("%s: %.2f allocations a step, was %.2f", name, got[name], figure))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			worse = append(worse, name+": has a figure and is not measured")
		}
	}
	return worse
}

// ReadFigures reads a file that WriteFile wrote; a missing one has none.
func ReadFigures(file string) (Figures, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var figures Figures
	return figures, json.Unmarshal(text, &figures)
}

// WriteFile keeps the figures in a file.
func (got Figures) WriteFile(file string) error {
	text, err := json.MarshalIndent(got, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o666)
}
