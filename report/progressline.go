package report

import (
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	barAtLeast = 8  // columns of the bar without its brackets
	barAtMost  = 30 // wider says nothing more
	barAround  = 8  // columns of "  41% [" and "]"
)

// progressLine draws a snapshot in at most width columns. Fields that do not
// fit are left out from the right.
func progressLine(s *Snapshot, width int, i ink) string {
	switch {
	case s.Phase == ReadingData:
		return fit(readingFields(s), width, i)
	case s.Task != "":
		return fit(taskFields(s), width, i)
	case s.Phase == "loading" && s.Want > 0 && width >= barAround+barAtLeast:
		return loadingLine(s, width, i)
	}
	return fit(append(timeFields(s), rateFields(s)...), width, i)
}

// progressText draws a snapshot in a line as long as it needs.
func progressText(s *Snapshot) string {
	const unlimited = 1 << 20
	fields := timeFields(s)
	switch {
	case s.Phase == ReadingData:
		return fit(readingFields(s), unlimited, false)
	case s.Task != "":
		return fit(taskFields(s), unlimited, false)
	case s.Phase == "loading" && s.Want > 0:
		fields = append([]field{{text: "loading " + percent(s.Done, s.Want)}}, loadingFields(s)...)
		return fit(fields, unlimited, false)
	}
	return fit(append(fields, rateFields(s)...), unlimited, false)
}

// readingFields says how much of a file, the task, has been read. Done and Want
// are bytes.
func readingFields(s *Snapshot) []field {
	fields := []field{{text: "reading " + Printable(s.Task)}}
	if s.Want <= 0 || s.Done > s.Want {
		return append(fields, field{text: bytesText(s.Done)})
	}
	fields = append(fields, field{text: percent(s.Done, s.Want)}, field{text: bytesText(s.Done) + " of " + bytesText(s.Want)})
	if left, ok := timeLeft(s); ok {
		fields = append(fields, field{text: left + " left"})
	}
	return fields
}

// taskFields says which of several runs it is, how long all of them still
// take, and then how this one stands.
func taskFields(s *Snapshot) []field {
	fields := []field{{text: Printable(s.Task)}}
	if s.Left > 0 {
		fields = append(fields, field{text: remaining(s.Left) + " left"})
	}
	if s.Phase == "loading" && s.Want > 0 {
		fields = append(fields, field{text: "loading " + percent(s.Done, s.Want)})
	} else {
		fields = append(fields, timeFields(s)...)
	}
	return append(fields, rateFields(s)...)
}

// remaining is a time to wait, in whole seconds.
func remaining(left time.Duration) string {
	if left < 2*time.Minute {
		return fixed(math.Ceil(left.Seconds()), 0) + " s"
	}
	return duration(int64(left))
}

// field is one thing to say. Short is said when there is no room for text.
type field struct {
	text, short string
	bad         bool
}

// fit joins fields with two spaces, from the left, until one has no room.
func fit(fields []field, width int, i ink) string {
	var b strings.Builder
	used := 0
	for n, f := range fields {
		separator := ""
		if n > 0 {
			separator = "  "
		}
		said := f.text
		if used+len(separator)+len(said) > width && f.short != "" {
			said = f.short
		}
		if used+len(separator)+len(said) > width {
			break
		}
		used += len(separator) + len(said)
		if f.bad {
			said = i.red(said)
		}
		b.WriteString(separator + said)
	}
	return b.String()
}

// timeFields says how far the phase has come; the phase itself when it is
// not the measuring.
func timeFields(s *Snapshot) []field {
	elapsed := fixed(s.Elapsed.Seconds(), 1)
	if s.Total > 0 {
		elapsed += "/" + strconv.FormatFloat(s.Total.Seconds(), 'f', -1, 64)
	}
	elapsed += " s"
	if s.Phase != "measuring" && s.Phase != "" {
		elapsed = s.Phase + " " + elapsed
	}
	fields := []field{{text: elapsed}}
	if s.Want > 0 {
		fields = append(fields, field{text: Thousands(s.Done) + "/" + Thousands(s.Want)})
	}
	return fields
}

// rateFields says how it goes. Errors stand before the latency, since they
// are what must not be missed on a narrow terminal.
func rateFields(s *Snapshot) []field {
	fields := []field{{text: rate(s.RatePerSec) + "/s"}}
	fields = append(fields, errorFields(s)...)
	if s.P50Ns > 0 && s.P99Ns > 0 {
		fields = append(fields, field{
			text:  strings.Join(percentileFields([]Percentile{{50, s.P50Ns}, {99, s.P99Ns}}), "  "),
			short: "p99 " + scaleFor(s.P50Ns, s.P99Ns).text(s.P99Ns) + " ms",
		})
	}
	if s.Connections > 0 {
		fields = append(fields, field{text: counted(int64(s.Connections), "connection")})
	}
	return fields
}

func errorFields(s *Snapshot) []field {
	if s.Failed == 0 {
		return nil
	}
	return []field{{text: counted(s.Failed, "error"), bad: true}}
}

// loadingFields is what stands beside the bar.
func loadingFields(s *Snapshot) []field {
	fields := append(errorFields(s), field{text: rate(s.RatePerSec) + "/s"})
	if left, ok := timeLeft(s); ok {
		fields = append(fields, field{text: left + " left"})
	}
	return append(fields, field{text: Thousands(s.Done) + "/" + Thousands(s.Want)})
}

// timeLeft follows from the average so far, which jumps about less than the
// rate of the last moments.
func timeLeft(s *Snapshot) (string, bool) {
	if s.Done <= 0 || s.Done > s.Want || s.Elapsed <= 0 {
		return "", false
	}
	left := time.Duration(s.Elapsed.Seconds() / float64(s.Done) * float64(s.Want-s.Done) * 1e9)
	if left < 0 || left > 1000*time.Hour {
		return "", false // it has only just begun
	}
	if left < 2*time.Minute {
		return fixed(left.Seconds(), 0) + " s", true
	}
	return duration(int64(left)), true
}

// loadingLine draws the bar and, beside it, what leaves the bar readable.
func loadingLine(s *Snapshot, width int, i ink) string {
	const gap = "  "
	beside := fit(loadingFields(s), width-barAround-barAtLeast-len(gap), i)
	if beside != "" {
		beside = gap + beside
	}
	bar := min(width-barAround-cells(beside), barAtMost)
	return drawBar(s.Done, s.Want, bar) + beside
}

// drawBar is "  41% [===>....]" with width columns between the brackets.
func drawBar(done, want int64, width int) string {
	theme := progressbar.ThemeASCII
	bar := progressbar.NewOptions64(want,
		progressbar.OptionSetWriter(io.Discard), // only its drawing is wanted
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetTheme(theme),
		progressbar.OptionSetPredictTime(false),
	)
	// Neither can fail: the writer takes everything, and done stays in range.
	_ = bar.Set64(min(max(done, 0), want))
	_ = bar.RenderBlank()
	return strings.TrimRight(strings.TrimLeft(bar.String(), "\r"), " ")
}
