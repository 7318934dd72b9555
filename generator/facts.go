package generator

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/report"
)

// facts is what a server told about itself at one moment. Asking is best
// effort: what is refused becomes a note.
type facts struct {
	info    map[string]string // fields of INFO
	config  map[string]string
	dbs     []int // whose keys are counted
	notes   []string
	broken  bool    // the connection to ask on is
	address string  // of a node of a cluster
	primary bool    // likewise: it is one that serves slots
	nodes   []facts // of a cluster, whose sum this is
}

// configNames are the settings that explain a figure.
var configNames = [...]string{"save", "appendonly", "appendfsync", "io-threads", "maxmemory"}

func askFacts(ctx context.Context, c *conn.Client, dbs []int) facts {
	f := facts{dbs: dbs, config: map[string]string{}}
	v, err := c.Do(ctx, "INFO")
	if err != nil {
		f.notes = append(f.notes, "INFO was not answered"+why(err))
		f.broken = conn.ErrorCode(err) == ""
		return f
	}
	f.info = parseInfo(v.Str)
	for _, name := range configNames {
		v, err := c.Do(ctx, "CONFIG", "GET", name)
		if err != nil {
			f.notes = append(f.notes, "CONFIG GET was not answered"+why(err))
			break
		}
		if len(v.Elems) == 2 {
			f.config[name] = v.Elems[1].Str
		}
	}
	return f
}

// why is the reason for which a question was not answered, where it is more
// than that no answer came in time.
func why(err error) string {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return " in time"
	}
	return ": " + err.Error()
}

// parseInfo reads the lines "name:value" of INFO.
func parseInfo(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if ok && !strings.HasPrefix(name, "#") {
			fields[name] = value
		}
	}
	return fields
}

// serverFacts is what the report says of the server.
func serverFacts(before, after facts) report.Server {
	s := report.Server{Notes: before.notes}
	if s.Notes == nil {
		s.Notes = after.notes
	}
	told := before
	if told.info == nil { // it was away then
		told = after
	}
	s.Name, s.Version = told.product()
	s.Mode = told.info["redis_mode"]
	s.Persistence = told.persistence()
	if n, err := strconv.Atoi(told.config["io-threads"]); err == nil {
		s.IOThreads = n
	}
	s.MaxMemory, _ = told.integer("maxmemory")
	s.UsedMemory = gauge(before, after, facts.usedMemory)
	s.Dataset = gauge(before, after, facts.dataset)
	s.Keys = gauge(before, after, facts.keys)
	before, after, note := sameServers(before, after)
	if note != "" {
		s.Notes = append(slices.Clip(s.Notes), note)
	}
	s.Hits = counter(before, after, "keyspace_hits")
	s.Misses = counter(before, after, "keyspace_misses")
	s.Evicted = counter(before, after, "evicted_keys")
	s.Expired = counter(before, after, "expired_keys")
	s.CPUNs = cpu(before, after, "used_cpu_user", "used_cpu_sys")
	s.MainCPUNs = cpu(before, after, "used_cpu_user_main_thread", "used_cpu_sys_main_thread")
	if len(before.nodes) > 0 {
		s.MainCPUNs = busiest(before, after)
	}
	return s
}

// product is the server's name and version. Servers that came after Redis keep
// its field for clients that look for it, and add their own.
func (f facts) product() (name, version string) {
	for _, name := range [...]string{"valkey", "dragonfly", "kvrocks", "keydb", "garnet", "tair", "redis"} {
		if v := f.info[name+"_version"]; v != "" {
			return name, v
		}
	}
	return "", ""
}

// persistence says in a few words what is written to disk.
func (f facts) persistence() string {
	aof, known := f.config["appendonly"]
	if !known {
		if f.info["aof_enabled"] == "1" {
			return "AOF"
		}
		return "" // snapshots cannot be known without CONFIG
	}
	var parts []string
	if aof == "yes" {
		parts = append(parts, "AOF "+f.config["appendfsync"])
	}
	if f.config["save"] != "" {
		parts = append(parts, "RDB")
	}
	if len(parts) == 0 {
		return "no persistence"
	}
	return strings.Join(parts, " + ")
}

func (f facts) integer(field string) (int64, bool) {
	n, err := strconv.ParseInt(f.info[field], 10, 64)
	return n, err == nil
}

func (f facts) usedMemory() (int64, bool) { return f.integer("used_memory") }

// dataset is the part of the used memory that the server counts as its data.
func (f facts) dataset() (int64, bool) { return f.integer("used_memory_dataset") }

// keys counts those of the run's databases; an empty one has no line in INFO.
func (f facts) keys() (sum int64, ok bool) {
	if f.info == nil {
		return 0, false
	}
	for _, db := range f.dbs {
		n, ok := f.keysOf(db)
		if !ok {
			return 0, false
		}
		sum += n
	}
	return sum, len(f.dbs) > 0
}

// keysOf counts the keys of one database.
func (f facts) keysOf(db int) (int64, bool) {
	line, ok := f.info["db"+strconv.Itoa(db)]
	if !ok {
		return 0, f.info["used_memory"] != "" // a full INFO, which would have had it
	}
	for part := range strings.SplitSeq(line, ",") {
		if text, ok := strings.CutPrefix(part, "keys="); ok {
			n, err := strconv.ParseInt(text, 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

func gauge(before, after facts, of func(facts) (int64, bool)) *report.Delta {
	b, okBefore := of(before)
	a, okAfter := of(after)
	if !okBefore || !okAfter {
		return nil
	}
	return &report.Delta{Before: b, After: a}
}

// counter is how much a field has grown; nil if it is not told, or if it
// shrank, which means that somebody reset it.
func counter(before, after facts, field string) *int64 {
	b, okBefore := before.integer(field)
	a, okAfter := after.integer(field)
	if !okBefore || !okAfter || a < b {
		return nil
	}
	d := a - b
	return &d
}

// cpu is how much the two fields, in seconds, have grown together.
func cpu(before, after facts, user, system string) *int64 {
	var seconds float64
	for _, field := range [...]string{user, system} {
		b, errBefore := strconv.ParseFloat(before.info[field], 64)
		a, errAfter := strconv.ParseFloat(after.info[field], 64)
		if errBefore != nil || errAfter != nil || a < b {
			return nil
		}
		seconds += a - b
	}
	ns := int64(seconds * 1e9)
	return &ns
}
