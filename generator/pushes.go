package generator

// pushesSoFar is how many have come in the phase that is running. Call it
// inside Loop.Do.
func (w *worker) pushesSoFar() int64 {
	n := w.pushes
	w.each(func(l *link) { n += l.newPushes() })
	return n
}

// newPushes is how many have come on the connection in the phase that is
// running.
func (l *link) newPushes() int64 {
	if l.Conn == nil {
		return 0
	}
	return l.Pushes() - l.pushesBefore
}
