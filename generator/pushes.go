package generator

// pushes is how many have come in the phase that is running. Call it inside
// Loop.Do.
func (w *worker) pushes() (n int64) {
	for _, m := range w.conns {
		n += m.Pushes() - m.pushesBefore
	}
	return n
}
