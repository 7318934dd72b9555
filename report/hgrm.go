package report

import (
	"bytes"
	"fmt"
	"io"
)

// Histogram writes the distribution of a run's latencies in milliseconds, as
// HdrHistogram's plotter and other tools read it (".hgrm"). Lines that start
// with "#" are remarks. When nothing succeeded there are no others.
func Histogram(w io.Writer, r *Result) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", Printable(r.Workload.Template))
	fmt.Fprintf(&b, "# %s requests/s, latency in ms\n", rate(r.RatePerSec))
	if r.Latency == nil {
		b.WriteString("# nothing succeeded\n")
	} else {
		h, err := r.Latency.decode()
		if err != nil {
			return err
		}
		if h.TotalCount() == 0 {
			return fmt.Errorf("histogram: it is empty, and there are %d samples", r.Latency.Count)
		}
		const (
			linesPerHalving = 5
			nsPerMs         = 1e6
		)
		if _, err := h.PercentilesPrint(&b, linesPerHalving, nsPerMs); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
