package measure

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// The plot's size and the frame in it, in pixels.
const (
	plotWidth, plotHeight   = 640, 400
	frameLeft, frameTop     = 78, 46
	frameRight, frameBottom = plotWidth - 24, plotHeight - 58
	legendLine              = 17
	colourText, colourGrid  = "#57606a", "#d8dee4"
	fontFamily              = "system-ui, sans-serif"
)

// colours tell the curves apart, also for people who see few colours: each has
// a dash of its own too.
var (
	colours = []string{"#0969da", "#bc4c00", "#1a7f37", "#8250df"}
	dashes  = []string{"", "6 3", "2 3", "9 3 2 3"}
)

// Plot draws the curves as an SVG picture with logarithmic axes.
func (g Growth) Plot(w io.Writer, curves []Curve) error {
	lowest, highest := math.Inf(1), 0.0
	for _, c := range curves {
		for _, nanos := range c.Nanos {
			lowest, highest = math.Min(lowest, nanos), math.Max(highest, nanos)
		}
	}
	x := axis{float64(g.Sizes[0]), float64(g.Sizes[len(g.Sizes)-1]), frameLeft, frameRight}
	y := axis{math.Pow(10, math.Floor(math.Log10(lowest))), math.Pow(10, math.Ceil(math.Log10(highest))), frameBottom, frameTop}

	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="%s" font-size="12" role="img">`+"\n", plotWidth, plotHeight, fontFamily)
	fmt.Fprintf(&s, `<title>%s</title>`+"\n", html.EscapeString(g.Name))
	fmt.Fprintf(&s, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, plotHeight)
	text(&s, frameLeft, 24, "start", "#1f2328", g.Name)
	for decade := y.from; decade <= y.to*1.001; decade *= 10 {
		at := y.place(decade)
		fmt.Fprintf(&s, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s"/>`+"\n", frameLeft, at, frameRight, at, colourGrid)
		text(&s, frameLeft-8, at+4, "end", colourText, Duration(decade))
	}
	for _, size := range g.Sizes {
		at := x.place(float64(size))
		fmt.Fprintf(&s, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/>`+"\n", at, frameTop, at, frameBottom, colourGrid)
		text(&s, at, frameBottom+18, "middle", colourText, grouped(size))
	}
	text(&s, (frameLeft+frameRight)/2, plotHeight-14, "middle", colourText, g.Unit)
	for i, c := range curves {
		curve(&s, i, g, c, x, y)
	}
	s.WriteString("</svg>\n")
	_, err := io.WriteString(w, s.String())
	return err
}

func curve(s *strings.Builder, i int, g Growth, c Curve, x, y axis) {
	colour, dash := colours[i%len(colours)], dashes[i%len(dashes)]
	var points []string
	for j, nanos := range c.Nanos {
		px, py := x.place(float64(g.Sizes[j])), y.place(nanos)
		points = append(points, fmt.Sprintf("%.1f,%.1f", px, py))
		fmt.Fprintf(s, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", px, py, colour)
	}
	fmt.Fprintf(s, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(points, " "), colour, dash)
	line := float64(frameTop + 14 + i*legendLine)
	fmt.Fprintf(s, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", frameLeft+12, line-4, frameLeft+40, line-4, colour, dash)
	text(s, frameLeft+46, line, "start", "#1f2328", fmt.Sprintf("%s (exponent %.2f)", c.Name, c.Exponent))
}

// An axis places values on a logarithmic scale between two pixels.
type axis struct{ from, to, first, last float64 }

func (a axis) place(value float64) float64 {
	if a.from == a.to {
		return (a.first + a.last) / 2
	}
	share := math.Log(value/a.from) / math.Log(a.to/a.from)
	return a.first + share*(a.last-a.first)
}

func text(s *strings.Builder, x, y float64, anchor, colour, words string) {
	fmt.Fprintf(s, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, colour, html.EscapeString(words))
}

// grouped writes 1000000 as 1,000,000.
func grouped(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
