package report

import (
	"strconv"
	"strings"
)

// templateLines is how much of a long template the summary shows.
const templateLines = 3

// facts adds what was asked: the template and, below, server and load.
func (p *page) facts(r *Result) {
	const limit = templateLines*pageColumns - 40 // room for line breaks between words
	text := r.Workload.Template
	if r.Workload.Idle {
		text = "(connections without load)"
	}
	if len(r.Lanes) > 0 {
		text = counted(int64(len(r.Lanes)), "lane") + " side by side"
	} else if len(r.Parts) > 0 { // they stand in the table below
		text = r.Workload.mixed(r.Parts)
	}
	template := Printable(cutMiddle(text, limit))
	if len(template) > 2*limit { // escapes made it long
		template = cutMiddle(template, limit)
	}
	p.hang("", 0, "", []string{template})
	if n := len(text); n > limit {
		p.line(p.ink.dim("(a template of " + bytesText(int64(n)) + ", cut in the middle)"))
	}
	server, load := serverFacts(r), loadFacts(r)
	if all := strings.Join(server, ", ") + "; " + strings.Join(load, ", "); cells(all) <= pageColumns {
		p.line(all)
	} else {
		p.hang("", 0, ", ", server)
		p.hang("", 0, ", ", load)
	}
	p.dataFacts(r)
	p.laneFacts(r)
}

// mixed says which templates are mixed: those of a file, which has a name in
// place of their text, or those of the command line.
func (w *Workload) mixed(parts []Part) string {
	templates := counted(int64(len(parts)), "template")
	if len(parts) > 1 && !strings.Contains(w.Template, "\n") {
		return w.Template + ", " + templates
	}
	return templates + ", mixed " + ratioOf(parts)
}

// dataFacts adds a line for each file of rows.
func (p *page) dataFacts(r *Result) {
	for i := range r.Workload.Data {
		p.hang("data ", len("data "), ", ", r.Workload.Data[i].facts())
	}
}

// facts is which file it is and how its rows are taken.
func (d *Data) facts() []string {
	file := Printable(d.File)
	if d.File == "-" {
		file = "standard input"
	}
	if d.Name != "" {
		file = Printable(d.Name) + ": " + file
	}
	facts := []string{file, counted(d.Rows, "row")}
	if d.BadRows > 0 {
		facts = append(facts, Thousands(d.BadRows)+" left out")
	}
	how := "in " + Printable(d.Order) + " order"
	if d.Order == "sequence" {
		how = "in sequence"
	}
	return append(facts, how)
}

// serverFacts is who was asked, and in which state.
func serverFacts(r *Result) []string {
	facts := []string{Printable(r.Target.Address)}
	if r.Target.TLS != "" {
		facts = append(facts, "TLS "+Printable(r.Target.TLS))
	}
	if r.Target.Embedded {
		facts = append(facts, "in-process miniredis")
	}
	var name []string
	for _, word := range []string{r.Server.Name, r.Server.Version, r.Server.Mode} {
		if word != "" {
			name = append(name, Printable(word))
		}
	}
	if len(name) > 0 {
		facts = append(facts, strings.Join(name, " "))
	}
	if r.Server.Persistence != "" {
		facts = append(facts, Printable(r.Server.Persistence))
	}
	if r.Server.IOThreads > 1 {
		facts = append(facts, counted(int64(r.Server.IOThreads), "I/O thread"))
	}
	if r.Target.User != "" {
		facts = append(facts, "user "+Printable(r.Target.User))
	}
	if r.Target.DB != 0 {
		facts = append(facts, "database "+strconv.Itoa(r.Target.DB))
	}
	if r.Target.Protocol == 3 {
		facts = append(facts, "RESP3")
	}
	return facts
}

// loadFacts is how the server was asked. Connections that had no work are
// not counted as if they had.
func loadFacts(r *Result) []string {
	w, c, o := &r.Workload, &r.Connect, r.OpenLoop
	connections := counted(int64(w.Connections), "connection")
	if c.Count > 0 && c.Count < int64(w.Connections) {
		connections = Thousands(c.Count) + " of " + connections
	}
	if w.Tuned {
		connections += " (tuned)"
	}
	pipeline := "pipeline " + Thousands(int64(w.Pipeline))
	var facts []string
	if o != nil {
		if len(r.Stages) > 0 {
			facts = append(facts, counted(int64(len(r.Stages)), "rate")+", "+Printable(o.Arrivals))
		} else {
			facts = append(facts, "rate "+rate(o.RatePerSec)+"/s "+Printable(o.Arrivals))
		}
		pipeline = "pipeline up to " + Thousands(int64(w.Pipeline))
	}
	facts = append(facts, connections)
	if len(r.Lanes) == 0 {
		facts = append(facts, pipeline)
	}
	facts = append(facts, counted(int64(w.Threads), "thread"))
	if len(w.Cores) > 0 {
		var cores []string
		for _, core := range w.Cores {
			cores = append(cores, strconv.Itoa(core))
		}
		facts = append(facts, "cores "+strings.Join(cores, ","))
	}
	if w.WarmupNs > 0 {
		facts = append(facts, "warm-up "+duration(w.WarmupNs))
	}
	return append(facts, loadSeed(w))
}

func loadSeed(w *Workload) string { return "seed " + strconv.FormatUint(w.Seed, 10) }
