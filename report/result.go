// Package report holds what a run established, as plain data, and draws it:
// the summary for people, the progress line, JSON. It is a leaf: it imports
// no other room of respbench, opens no connection and decides nothing about
// the load.
package report

import "time"

// Schema names the layout of a Result in JSON. A change that a reader of
// version 1 could misread gets a new number.
const Schema = "respbench/1"

// Result is everything that a run established: what was asked, what
// happened, what to doubt. Times whose names end in _ns are nanoseconds;
// times "into the window" count from the first measured request.
type Result struct {
	Schema      string       `json:"schema"`
	Kind        string       `json:"kind"` // "run"
	Version     string       `json:"respbench_version"`
	StartedAt   time.Time    `json:"started_at"`
	Interrupted string       `json:"interrupted,omitempty"` // "SIGINT" or "SIGTERM" if a signal ended the run
	Workload    Workload     `json:"workload"`
	Target      Target       `json:"target"`
	WindowNs    int64        `json:"window_ns"` // first measured request sent .. last counted reply read
	RatePerSec  float64      `json:"rate_per_sec"`
	Requests    Requests     `json:"requests"`
	Latency     *Latency     `json:"latency"` // null when no request succeeded
	OpenLoop    *OpenLoop    `json:"open_loop,omitempty"`
	Lanes       []Lane       `json:"lanes,omitempty"`  // of a run with several loads side by side
	Stages      []Stage      `json:"stages,omitempty"` // by rate, of a run with several
	Parts       []Part       `json:"parts,omitempty"`  // by template, of a run that mixes several
	Errors      []ErrorClass `json:"errors"`
	Nodes       []Node       `json:"nodes,omitempty"`  // of a cluster
	Faults      *Faults      `json:"faults,omitempty"` // absent where nothing was out of order
	Connect     Connect      `json:"connect"`
	Traffic     Traffic      `json:"traffic"`
	Client      Client       `json:"client"`
	Server      Server       `json:"server"`
	Limit       Limit        `json:"limit"`
	Tuning      []TuningStep `json:"tuning,omitempty"`
	Intervals   []Interval   `json:"intervals"`
	Objectives  []Objective  `json:"objectives,omitempty"`
	Aborted     *Abort       `json:"aborted,omitempty"` // what ended the run early, if a condition did
	Warnings    []string     `json:"warnings"`          // sentences that say what to doubt and what to do
}

// Workload is what was asked for, enough to repeat the run.
type Workload struct {
	Template    string `json:"template"` // of several, each on a line of its own
	Load        bool   `json:"load"`     // --load: fill a data set
	Connections int    `json:"connections"`
	Tuned       bool   `json:"tuned"` // the number of connections was found by tuning
	Pipeline    int    `json:"pipeline"`
	Requests    int64  `json:"requests"`    // -n; 0 = not limited
	DurationNs  int64  `json:"duration_ns"` // -s; 0 = not limited
	WarmupNs    int64  `json:"warmup_ns"`
	IntervalNs  int64  `json:"interval_ns"` // --interval

	Percentiles []float64 `json:"percentiles"` // --percentiles

	Cluster        bool   `json:"cluster,omitempty"`
	ReadFrom       string `json:"read_from,omitempty"` // "primary", "replica" or "any"; of a cluster
	Reconnect      bool   `json:"reconnect,omitempty"`
	TimeoutNs      int64  `json:"timeout_ns,omitempty"`      // --timeout
	ConnMaxAgeNs   int64  `json:"conn_max_age_ns,omitempty"` // --conn-max-age
	ReconnectEvery int64  `json:"reconnect_every,omitempty"`
	Idle           bool   `json:"idle,omitempty"` // connections without load
	Data           []Data `json:"data,omitempty"` // what the templates take rows of

	Threads int    `json:"threads"`
	Cores   []int  `json:"cores,omitempty"`
	Seed    uint64 `json:"seed,string"` // a string: JSON numbers lose digits above 2^53
}

// Data is a file of rows that templates take.
type Data struct {
	Name    string `json:"name,omitempty"` // in templates, if it has one
	File    string `json:"file"`           // "-" for standard input
	Rows    int64  `json:"rows"`           // those left out do not count
	BadRows int64  `json:"bad_rows"`       // left out, as they could not be read
	Order   string `json:"order"`          // "sequence", "random" or "zipfian"
}

// Target is the server that was asked, without secrets.
type Target struct {
	Address  string `json:"address"` // host:port or the path of a unix socket
	User     string `json:"user,omitempty"`
	TLS      string `json:"tls,omitempty"` // version: "1.3"; absent without TLS
	DB       int    `json:"db"`
	Protocol int    `json:"protocol"`           // RESP version, 2 or 3
	Embedded bool   `json:"embedded,omitempty"` // the in-process server
}

// Requests counts commands. Sent = Succeeded + Failed + Unanswered + Lost.
type Requests struct {
	Sent       int64 `json:"sent"`
	Succeeded  int64 `json:"succeeded"`
	Failed     int64 `json:"failed"`     // answered by an error
	Unanswered int64 `json:"unanswered"` // in flight when the drain's bound was reached
	Lost       int64 `json:"lost"`       // in flight on a connection that broke
	Empty      int64 `json:"empty"`      // successes whose reply was null or an empty array, map or set
}

// Latency describes the successful requests alone. Min, average and max are
// exact; percentiles have three significant digits, lie in MinNs..MaxNs and
// are nearest-rank: the time that at least Percent of the successes did not
// exceed.
type Latency struct {
	Count       int64        `json:"count"`
	AvgNs       int64        `json:"avg_ns"`
	MinNs       int64        `json:"min_ns"`
	MaxNs       int64        `json:"max_ns"`
	Percentiles []Percentile `json:"percentiles"`
	OverRange   int64        `json:"over_range"` // samples above the histogram's range, counted at its top
	Histogram   string       `json:"histogram"`  // HdrHistogram V2, deflated, base64; nanoseconds
}

// Part is what became of one of several templates.
type Part struct {
	Template   string       `json:"template"`
	Weight     int          `json:"weight"`
	Sent       int64        `json:"sent"`
	Succeeded  int64        `json:"succeeded"`
	Failed     int64        `json:"failed"`
	RatePerSec float64      `json:"rate_per_sec"` // successes, over the window of the run
	Latency    *Latency     `json:"latency"`      // null when none succeeded
	Errors     []ErrorClass `json:"errors"`
}

// Lane is one of several loads that ran side by side.
type Lane struct {
	Name        string       `json:"name"`
	Template    string       `json:"template"` // of several, each on a line of its own
	Connections int          `json:"connections"`
	Pipeline    int          `json:"pipeline"`
	WindowNs    int64        `json:"window_ns"`
	RatePerSec  float64      `json:"rate_per_sec"`
	Requests    Requests     `json:"requests"`
	Latency     *Latency     `json:"latency"`             // null when no request succeeded
	OpenLoop    *OpenLoop    `json:"open_loop,omitempty"` // of a lane with a rate
	Parts       []Part       `json:"parts,omitempty"`     // of a lane that mixes several templates
	Errors      []ErrorClass `json:"errors"`
	Intervals   []Interval   `json:"intervals"`
}

// Stage is one of several rates that were run one after another.
type Stage struct {
	AskedPerSec float64  `json:"asked_per_sec"`
	RatePerSec  float64  `json:"rate_per_sec"` // successes, over the window of the stage
	WindowNs    int64    `json:"window_ns"`
	Sent        int64    `json:"sent"`
	Succeeded   int64    `json:"succeeded"`
	Failed      int64    `json:"failed"`
	Missed      int64    `json:"missed"`  // requests that were due and never sent
	Latency     *Latency `json:"latency"` // null when none succeeded
	Service     *Latency `json:"service"` // null when none succeeded
}

// OpenLoop is what a run with a stated rate has besides. Latency then runs
// from the time at which each request was due.
type OpenLoop struct {
	RatePerSec float64  `json:"rate_per_sec"` // asked for
	Arrivals   string   `json:"arrivals"`     // "constant", "poisson" or "recorded"
	Missed     int64    `json:"missed"`       // requests that were due and never sent
	Service    *Latency `json:"service"`      // from the write to the reply; null when nothing succeeded
	SendLag    *Latency `json:"send_lag"`     // from the due time to the write, of every request sent; null when none was
}

// Percentile is one point of the distribution; Percent is in 0..100.
type Percentile struct {
	Percent float64 `json:"percent"`
	Ns      int64   `json:"ns"`
}

// ErrorClass is all error replies with the same code. At most 64 codes are
// told apart; the rest has the code "(other)". A reply without any word has
// the code "(empty)".
type ErrorClass struct {
	Code    string `json:"code"` // the first word of the reply, at most 64 bytes
	Count   int64  `json:"count"`
	Sample  string `json:"sample"`   // the first such reply's text, at most 256 bytes
	FirstNs int64  `json:"first_ns"` // into the window
	LastNs  int64  `json:"last_ns"`  // into the window
}

// Connect is the time from dialling to the end of the handshake, of every
// connection that carried measured requests.
type Connect struct {
	Count int64 `json:"count"`
	AvgNs int64 `json:"avg_ns"`
	MaxNs int64 `json:"max_ns"`

	Broken int64 `json:"broken"` // connections that broke in the window

	// Again is how long making connections again took, during the window; absent
	// where none were.
	Again *Latency `json:"again,omitempty"`
}

// Traffic is the bytes of the measured window as written to and read from
// the sockets, without the headers of lower layers; with TLS, before
// encryption.
type Traffic struct {
	SentBytes     int64 `json:"sent_bytes"`
	ReceivedBytes int64 `json:"received_bytes"`
	Pushes        int64 `json:"pushes,omitempty"` // RESP3 pushes, such as invalidations; they answer nothing
}

// Client is what the run cost on this side, over the measured window.
type Client struct {
	CPUNs      int64 `json:"cpu_ns"`      // user + system, the whole process
	LoopCPUNs  int64 `json:"loop_cpu_ns"` // user + system of the busiest event loop; 0 where not measured
	UsableCPUs int   `json:"usable_cpus"` // by affinity and by the container's quota, which is rounded up, to 2 or more
	// MachineCPUNs is what all programs used of the MachineCPUs that this one may
	// run on, this one included; 0 where the system does not tell.
	MachineCPUNs int64 `json:"machine_cpu_ns"`
	MachineCPUs  int   `json:"machine_cpus,omitempty"`
	Confined     bool  `json:"confined,omitempty"` // the machine has CPUs that this program may not run on
	GCs          int64 `json:"gcs"`                // garbage collections in the window

	System string `json:"system,omitempty"` // operating system and architecture: "linux/amd64"
}

// Server is what INFO and CONFIG told before and after the run. A fact that
// the server did not tell is absent.
type Server struct {
	Name        string   `json:"name,omitempty"` // redis, valkey, …
	Version     string   `json:"version,omitempty"`
	Mode        string   `json:"mode,omitempty"`        // standalone, cluster, sentinel
	Persistence string   `json:"persistence,omitempty"` // "no persistence", "AOF everysec", "RDB", …
	IOThreads   int      `json:"io_threads,omitempty"`
	MaxMemory   int64    `json:"max_memory_bytes,omitempty"`
	UsedMemory  *Delta   `json:"used_memory_bytes,omitempty"`
	Dataset     *Delta   `json:"dataset_bytes,omitempty"`   // the part of it that is keys and values
	Keys        *Delta   `json:"keys,omitempty"`            // in the database of the run
	Hits        *int64   `json:"keyspace_hits,omitempty"`   // during the run
	Misses      *int64   `json:"keyspace_misses,omitempty"` // during the run
	Evicted     *int64   `json:"evicted_keys,omitempty"`    // during the run
	Expired     *int64   `json:"expired_keys,omitempty"`    // during the run
	CPUNs       *int64   `json:"cpu_ns,omitempty"`          // user + system, during the measured window
	MainCPUNs   *int64   `json:"main_thread_cpu_ns,omitempty"`
	Notes       []string `json:"notes,omitempty"` // what the server would not tell, and why
}

// Delta is a gauge before and after the run.
type Delta struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Limit says who bounded the throughput and why that is thought.
type Limit struct {
	Who string `json:"who"` // "server", "client", "machine", "rate", "neither", "unknown"
	Why string `json:"why"`
}

// TuningStep is one trial of automatic tuning, outside the measured window.
type TuningStep struct {
	Connections int     `json:"connections"`
	RatePerSec  float64 `json:"rate_per_sec"`
}

// Interval is one slice of the measured window. P50 and P99 are null when
// nothing succeeded in it, and where it is of several lanes together.
type Interval struct {
	StartNs   int64  `json:"start_ns"` // into the window
	LengthNs  int64  `json:"length_ns"`
	Succeeded int64  `json:"succeeded"`
	Failed    int64  `json:"failed"`
	P50Ns     *int64 `json:"p50_ns"`
	P99Ns     *int64 `json:"p99_ns"`
	MaxNs     *int64 `json:"max_ns"`

	Lost       int64 `json:"lost,omitempty"`       // requests in flight on a connection that broke
	Repeated   int64 `json:"repeated,omitempty"`   // requests that were sent again after a fault
	Redirected int64 `json:"redirected,omitempty"` // replies that said to ask again, here or elsewhere
	Reconnects int64 `json:"reconnects,omitempty"`
}
