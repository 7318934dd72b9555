package data

// Room is the memory that the rows of several files share, 256 MiB; what finds
// none goes to temporary files. The index of a file, which knows where its rows
// are, may take 16 MiB besides. Sources that share one are loaded and closed by
// one goroutine at a time.
type Room struct{ left int64 }

// NewRoom returns a Room in which nothing is.
func NewRoom() *Room { return &Room{memoryLimit} }

// enter tells a store how much memory is left for it.
func (r *Room) enter(s *store) {
	if r != nil {
		s.limit = min(s.limit, max(r.left, 0))
	}
}

// take notes what a store takes, from when it is full until it is closed.
func (r *Room) take(s *store) {
	if r != nil {
		s.taken = s.size()
		r.left -= s.taken
	}
}

// leave gives back what a store has taken.
func (r *Room) leave(s *store) {
	if r != nil {
		r.left += s.taken
		s.taken = 0
	}
}
