package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
)

// passwordFlags say with which password to log in.
type passwordFlags struct {
	Password *string `name:"pass" short:"a" group:"server" placeholder:"PASS" help:"Password; also from REDISCLI_AUTH."`
	PassFile *string `group:"server" placeholder:"FILE" help:"Password from the first line of a file; - is standard input."`
	AskPass  bool    `name:"askpass" group:"server" help:"Ask for the password; from a pipe, its first line."`
}

// given is the name of a flag that was given, "" if none was.
func (f *passwordFlags) given() string {
	switch {
	case f.Password != nil:
		return "-a"
	case f.PassFile != nil:
		return "--pass-file"
	case f.AskPass:
		return "--askpass"
	}
	return ""
}

// readsOnce refuses a password from standard input where a file of rows, or one
// of others, flags and their files in turn, is read from there as well: the
// password would be taken for its first row.
func (f *passwordFlags) readsOnce(files dataList, others ...string) error {
	if !f.AskPass && (f.PassFile == nil || *f.PassFile != "-") {
		return nil
	}
	for _, file := range files {
		others = append(others, "--data", file.path)
	}
	for i := 1; i < len(others); i += 2 {
		if others[i] == "-" {
			return &usageError{
				problem: fmt.Errorf("%s and %s -: standard input can be read once", f.given(), others[i-1]),
				hint:    "the password can come from a file: --pass-file FILE",
			}
		}
	}
	return nil
}

// complete gives servers that have no password in their URI the one of the
// flags or, as redis-cli does, of the environment. What --askpass brings comes
// later, with ask.
func (f *passwordFlags) complete(ctx context.Context, servers []*conn.Dialer) error {
	count := 0
	for _, given := range []bool{f.Password != nil, f.PassFile != nil, f.AskPass} {
		if given {
			count++
		}
	}
	if count > 1 {
		return usagef("-a, --pass-file and --askpass contradict each other; give one of them")
	}
	for _, d := range servers {
		if given := f.given(); d.Password != "" && given != "" {
			return usagef("%s and a password in the URI contradict each other; give one of them", given)
		}
	}
	password := os.Getenv("REDISCLI_AUTH")
	if f.given() != "" {
		password = ""
	}
	if f.Password != nil {
		password = *f.Password
	}
	if f.PassFile != nil {
		var err error
		if password, err = passwordIn(ctx, *f.PassFile); err != nil {
			return &usageError{problem: fmt.Errorf("--pass-file %w", err)}
		}
	}
	for _, d := range servers {
		if d.Password == "" {
			d.Password = password
		}
	}
	return nil
}

// ask asks for the password, if that is wanted, and gives it to the servers.
func (f *passwordFlags) ask(ctx context.Context, stderr io.Writer, servers ...*conn.Dialer) error {
	if !f.AskPass {
		return nil
	}
	var password string
	var err error
	if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
		password, err = typedPassword(ctx, fd, stderr)
	} else {
		password, err = lineOfInput(ctx)
	}
	if err != nil {
		return &usageError{problem: fmt.Errorf("--askpass: %w", err)}
	}
	for _, d := range servers {
		d.Password = password
	}
	return nil
}

// typedPassword reads a line from the terminal fd without showing it. When ctx
// ends it leaves the terminal as it was.
func typedPassword(ctx context.Context, fd int, stderr io.Writer) (string, error) {
	state, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	fmt.Fprint(stderr, "Password: ")
	defer fmt.Fprintln(stderr)
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		typed <- line{text, err}
	}()
	select {
	case l := <-typed:
		if l.err == nil && len(l.text) == 0 {
			return "", errNoPassword
		}
		return string(l.text), l.err
	case <-ctx.Done():
		return "", errors.Join(context.Cause(ctx), term.Restore(fd, state))
	}
}

var errNoPassword = errors.New("the password is empty")

// passwordIn is the first line of a file, or of standard input for "-".
func passwordIn(ctx context.Context, name string) (string, error) {
	if name == "-" {
		line, err := lineOfInput(ctx)
		if err != nil {
			return "", fmt.Errorf("-: %w", err)
		}
		return line, nil
	}
	return opening(ctx, func() (string, error) {
		file, err := os.Open(name)
		if err != nil {
			return "", brief(name, err)
		}
		defer file.Close()
		line, err := firstLine(file)
		if err != nil {
			return "", brief(name, err)
		}
		return line, nil
	})
}

// lineOfInput is the first line of standard input.
func lineOfInput(ctx context.Context) (string, error) {
	in := os.Stdin
	return opening(ctx, func() (string, error) { return firstLine(in) })
}

// maxPassword is far above any password, and far below a file that was named
// by mistake.
const maxPassword = 64 << 10

// firstLine is the first line without its end, LF or CR LF, and without a byte
// order mark. Its other bytes are taken as they are.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxPassword+1)).ReadString('\n')
	switch {
	case err != nil && err != io.EOF:
		return "", err
	case len(line) > maxPassword:
		return "", fmt.Errorf("the first line is longer than %d bytes", maxPassword)
	}
	if wide := data.WideEncoding([]byte(line)); wide != "" {
		return "", wideError(wide)
	}
	line = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(line, "\ufeff"), "\n"), "\r")
	if line == "" {
		return "", errNoPassword
	}
	return line, nil
}
