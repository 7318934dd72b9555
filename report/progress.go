package report

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	redrawEvery   = 150 * time.Millisecond // on a terminal
	lineEvery     = 10 * time.Second       // whole lines, unless said otherwise
	stopPatience  = 200 * time.Millisecond // for a writer that does not take what it is given
	remarksAtMost = 100                    // of one Progress
	eraseLine     = "\r\x1b[K"
)

// ReadingData is the phase before a run in which files are read: Task is the
// file, and Done and Want count bytes.
const ReadingData = "reading"

// Snapshot is how a run stands.
type Snapshot struct {
	Phase          string        // "tuning", "warm-up", "measuring", "loading"
	Elapsed, Total time.Duration // of the phase; Total 0 = no time limit
	Done, Want     int64         // requests; Want 0 = no count limit
	RatePerSec     float64       // of the last gather
	P50Ns, P99Ns   int64         // of the last gather; 0 = none
	Failed         int64         // error replies so far
	Connections    int           // 0 = not shown
	Task           string        // which of several runs; "" = there is one
	Left           time.Duration // until all runs are done; 0 = not known
}

// ProgressOptions says where progress is drawn.
type ProgressOptions struct {
	RemarksOnly bool // draw no snapshots; nothing else then matters

	Terminal bool          // redraw one line; otherwise whole lines without control characters
	Width    func() int    // columns of the terminal, asked for at each drawing; nil or below 1 = 80
	Color    bool          // only on a terminal
	Every    time.Duration // from one whole line to the next when not on a terminal; 0 = 10 s
}

// Progress draws how a run stands while it runs. A goroutine of its own
// writes, so that no caller ever waits for the reader of the terminal or the
// pipe; when a write fails, nothing more is written. A nil *Progress draws
// nothing. Its methods may be called by several goroutines.
type Progress struct {
	w       io.Writer
	options ProgressOptions

	mu      sync.Mutex // never held while writing
	newest  *Snapshot  // not drawn yet; nil = none
	remarks []string   // not drawn yet
	said    map[string]bool

	wake    chan struct{}
	quit    chan struct{}
	done    chan struct{}
	stop    sync.Once
	givenUp atomic.Bool // Stop did not wait any longer: the screen is no longer ours
}

// NewProgress starts drawing to w, until Stop.
func NewProgress(w io.Writer, o ProgressOptions) *Progress {
	if o.Every <= 0 {
		o.Every = lineEvery
	}
	p := &Progress{
		w:       w,
		options: o,
		said:    map[string]bool{},
		wake:    make(chan struct{}, 1),
		quit:    make(chan struct{}),
		done:    make(chan struct{}),
	}
	go p.run()
	return p
}

// Update hands over how the run stands and returns at once. What was handed
// over before and is not drawn yet is forgotten.
func (p *Progress) Update(s Snapshot) {
	if p == nil || p.options.RemarksOnly {
		return
	}
	p.mu.Lock()
	p.newest = &s
	p.mu.Unlock()
	p.poke()
}

// Remark hands over a line that stays, and returns at once. Control
// characters in it are escaped. What has been said once is not said again, and
// after a hundred remarks there are no more.
func (p *Progress) Remark(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	if len(p.said) < remarksAtMost && !p.said[text] {
		p.said[text] = true
		p.remarks = append(p.remarks, Printable(text))
	}
	p.mu.Unlock()
	p.poke()
}

func (p *Progress) poke() {
	select {
	case p.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Stop draws the remarks that wait, clears the live line and ends the
// drawing. If the writer does not take that, Stop gives up after 200 ms.
// Nothing is drawn by calls after Stop.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.stop.Do(func() { close(p.quit) })
	patience := time.NewTimer(stopPatience)
	defer patience.Stop()
	select {
	case <-p.done:
	case <-patience.C:
		p.givenUp.Store(true)
	}
}

// take returns the remarks that wait, and the newest snapshot if it is due.
func (p *Progress) take(due bool) (remarks []string, newest *Snapshot, later bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	remarks, p.remarks = p.remarks, nil
	if due {
		newest, p.newest = p.newest, nil
	}
	return remarks, newest, p.newest != nil
}

// run is the goroutine that writes.
func (p *Progress) run() {
	defer close(p.done)
	pace := p.options.Every
	last := time.Now() // a first whole line comes after one pace
	if p.options.Terminal {
		pace = redrawEvery
		last = last.Add(-pace)
	}
	next := time.NewTimer(pace)
	next.Stop()
	live := "" // the line on the terminal
	for {
		select {
		case <-p.wake:
		case <-next.C:
		case <-p.quit:
			remarks, _, _ := p.take(false)
			p.write(remarks, live, "")
			return
		}
		wait := pace - time.Since(last)
		remarks, newest, later := p.take(wait <= 0)
		if later {
			next.Reset(wait)
		}
		line := live
		if newest != nil {
			last = time.Now()
			line = p.line(newest)
		}
		if !p.options.Terminal {
			if newest != nil {
				remarks = append(remarks, line)
			}
			line = ""
		}
		if !p.write(remarks, live, line) {
			<-p.quit
			return
		}
		live = line
	}
}

// write puts finished lines above the live line and turns the old live line
// into the new one, all in one write. It reports whether writing may go on.
func (p *Progress) write(finished []string, old, live string) bool {
	if len(finished) == 0 && old == live {
		return true
	}
	var b []byte
	if old != "" {
		b = append(b, eraseLine...)
	}
	for _, line := range finished {
		b = append(append(b, line...), '\n')
	}
	b = append(b, live...)
	if p.givenUp.Load() {
		return false
	}
	_, err := p.w.Write(b)
	return err == nil
}

// line draws a snapshot in one line.
func (p *Progress) line(s *Snapshot) string {
	if !p.options.Terminal {
		return progressText(s)
	}
	width := 0
	if p.options.Width != nil {
		width = p.options.Width()
	}
	if width < 1 {
		width = pageColumns
	}
	// The last column stays free: some terminals wrap as soon as it is used.
	return progressLine(s, width-1, ink(p.options.Color))
}
