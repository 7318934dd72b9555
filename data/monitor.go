package data

import "bytes"

// monitor is the lines of a MONITOR log, each of which is a command, made into
// what one connection has to send to do the same.
//
// Servers tell of a MULTI when it comes, and of the commands behind it, all at
// once and then EXEC, when they are done; the commands of other clients stand
// between. So a MULTI is held back until the first of its commands, or the end
// of the transaction, shows where it belongs.
type monitor struct {
	oneDB bool // all in one database: no switches
	known bool // a line of MONITOR has been read

	line    monitorLine
	upper   []byte
	queued  []tied          // commands that come before the next line
	free    [][]byte        // memory of commands that are done with
	now     []byte          // the command that was returned last
	at      int64           // the time of the last command, in microseconds since 1970
	db      int             // of the last command; -1 before the first
	started map[string]bool // clients whose MULTI is held back
	open    string          // the client whose transaction is being written; "" if none is
	inside  bool            // its MULTI has been written
	ended   bool

	times Times
	ties  Ties
	facts LogFacts
}

// tied is a command for the wire, and its tie to those before it.
type tied struct {
	command []byte
	tie     tie
}

// LogFacts is what became of the lines of a log.
type LogFacts struct {
	Commands int64            // that are sent
	Switches int64            // how often one is for another database than the one before
	Skipped  map[string]int64 // by name in capitals: commands that are not sent
	Scripted int64            // commands that scripts ran, which they will do again
	Blocking map[string]int64 // by name in capitals: commands that may wait, outside transactions
	Multi    int64            // transactions
}

func newMonitor() *monitor {
	return &monitor{
		db: -1, started: map[string]bool{},
		facts: LogFacts{Skipped: map[string]int64{}, Blocking: map[string]int64{}},
	}
}

func (m *monitor) next(text []byte, last bool, r *row) (int, error) {
	for n := 0; ; {
		if m.pop(r) {
			return n, nil
		}
		content, size, err := line(text[n:], last)
		if err == errEnd && !m.ended {
			m.end()
			continue
		}
		if err != nil {
			return n, err
		}
		at := n
		n += size
		if err := m.line.parse(content, at); err != nil {
			if isNoise(content) {
				continue
			}
			if wrong, ok := err.(*fault); ok && wrong.hint == "" && !m.known {
				wrong.hint = foreignHint(content)
			}
			return n, err
		}
		m.known = true
		m.take()
	}
}

// pop makes the first of the queued commands the row.
func (m *monitor) pop(r *row) bool {
	if len(m.queued) == 0 {
		return false
	}
	if m.now != nil {
		m.free = append(m.free, m.now[:0])
	}
	m.now = m.queued[0].command
	m.times.add(m.at)
	m.ties.add(m.queued[0].tie)
	m.queued = m.queued[:copy(m.queued, m.queued[1:])]
	r.raw, r.command = m.now, m.now
	return true
}

// push queues a command.
func (m *monitor) push(write func([]byte) []byte) {
	var dst []byte
	if n := len(m.free); n > 0 {
		dst, m.free = m.free[n-1], m.free[:n-1]
	}
	m.facts.Commands++
	m.queued = append(m.queued, tied{write(dst), tie{max(0, m.db), m.inside}})
}

// word queues a command that is one word.
func (m *monitor) word(name string) {
	m.push(func(dst []byte) []byte { return appendWords(dst, name) })
}

// appendWords adds a command for the wire.
func appendWords(dst []byte, words ...string) []byte {
	l := monitorLine{}
	for _, w := range words {
		l.text = append(l.text, w...)
		l.ends = append(l.ends, len(l.text))
	}
	return l.appendCommand(dst)
}

// switchTo notes the database of the commands to come.
func (m *monitor) switchTo(db int) {
	if m.oneDB || db == m.db {
		return
	}
	if m.db >= 0 { // the connection is made to the first
		m.facts.Switches++
	}
	m.db = db
}

// take queues what the line asks for.
func (m *monitor) take() {
	l := &m.line
	m.at = l.time
	if string(l.client) == "lua" {
		m.facts.Scripted++
		return
	}
	if m.open != "" && string(l.client) != m.open {
		m.close()
	}
	m.upper = append(m.upper[:0], l.name()...)
	name := bytesUpper(m.upper)
	switch string(name) {
	case "MULTI":
		if m.open == "" { // within a transaction it was an error
			m.started[string(l.client)] = true
		}
		return
	case "EXEC", "DISCARD":
		m.finish(string(name))
		return
	}
	if unplayed[string(name)] || l.unpaired() {
		m.facts.Skipped[string(name)]++
		if string(name) == "RESET" || string(name) == "QUIT" {
			delete(m.started, string(l.client))
		}
		return
	}
	m.switchTo(l.db)
	if len(m.started) > 0 && m.started[string(l.client)] {
		m.begin()
	}
	if m.open == "" && l.mayWait(name) {
		m.facts.Blocking[string(name)]++
	}
	m.push(l.appendCommand)
}

// begin writes the MULTI that the client of the line has sent before.
func (m *monitor) begin() {
	delete(m.started, string(m.line.client))
	m.open = string(m.line.client)
	m.facts.Multi++
	m.word("MULTI")
	m.inside = true
}

// finish writes the end of a transaction, which may be one of no commands. An
// end without a begin, as where the log begins in between, is left out.
func (m *monitor) finish(name string) {
	switch {
	case m.started[string(m.line.client)]:
		m.switchTo(m.line.db)
		m.begin()
	case m.open == "":
		m.facts.Skipped[name]++
		return
	}
	m.word(name)
	m.open, m.inside = "", false
}

// close ends a transaction whose end is not in the log.
func (m *monitor) close() {
	if m.open != "" {
		m.word("EXEC")
		m.open, m.inside = "", false
	}
}

// end writes what is to follow the last line: after it the log may begin again.
func (m *monitor) end() {
	m.ended = true
	m.close()
}

// bytesUpper makes capitals of letters, where they stand.
func bytesUpper(b []byte) []byte {
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return b
}

// unplayed are the commands that are not sent again, beside those that are
// unpaired: those that belong to the connection that sent them, and those that
// manage the server rather than use it.
var unplayed = wordSet(`
	AUTH HELLO SELECT CLIENT QUIT RESET ASKING READONLY READWRITE WATCH UNWATCH
	REPLCONF WAIT WAITAOF
	SHUTDOWN DEBUG REPLICAOF SLAVEOF FAILOVER CLUSTER SENTINEL MIGRATE
	CONFIG ACL MODULE SAVE BGSAVE BGREWRITEAOF LATENCY SLOWLOG
	`)

// waiting are the commands that may keep their connection waiting for another.
var waiting = wordSet(`BLPOP BRPOP BRPOPLPUSH BLMOVE BLMPOP BZPOPMIN BZPOPMAX BZMPOP`)

// mayWait tells whether the command, by its name in capitals, may keep its
// connection waiting.
func (l *monitorLine) mayWait(name []byte) bool {
	if waiting[string(name)] {
		return true
	}
	if string(name) != "XREAD" && string(name) != "XREADGROUP" {
		return false
	}
	for k := 1; k < len(l.ends); k++ {
		switch word := l.text[l.ends[k-1]:l.ends[k]]; {
		case bytes.EqualFold(word, []byte("BLOCK")):
			return true
		case bytes.EqualFold(word, []byte("STREAMS")):
			return false
		}
	}
	return false
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range bytes.Fields([]byte(words)) {
		set[string(w)] = true
	}
	return set
}
