package data

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openSpool makes the file that takes rows which are too many for memory. It
// has no name where the system allows that, so that nothing is left behind
// whatever ends the program.
func (s *store) openSpool() error {
	file, err := os.CreateTemp("", "respbench-data-*")
	if err != nil {
		return spoolError(err)
	}
	s.file = file
	if os.Remove(file.Name()) != nil {
		s.name = file.Name()
	}
	return nil
}

// write puts a chunk into the file.
func (s *store) write(chunk []byte, place uint64) error {
	if _, err := s.file.WriteAt(chunk, int64(place)); err != nil {
		return spoolError(err)
	}
	return nil
}

// spoolError says what to do about a file that cannot be written.
func spoolError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%s is full, and the rows do not fit in memory: set TMPDIR to a folder with more room: %w", os.TempDir(), err)
	}
	return fmt.Errorf("the rows do not fit in memory, and %s cannot take them: set TMPDIR to another folder: %w", os.TempDir(), err)
}

// close frees the chunks and the file.
func (s *store) close() error {
	s.chunks = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	s.file = nil
	return err
}
