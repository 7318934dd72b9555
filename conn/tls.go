package conn

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// TLS says how connections are encrypted and who the two sides are. The zero
// value trusts the authorities that the system trusts and wants the server's
// certificate to be for the host that is dialled. Its files are read once, so
// that a Dialer and its copies share it; do not change it after its first use.
type TLS struct {
	CA         string // file of certificates (PEM) that are trusted in place of the system's
	CADir      string // folder of such files
	Cert, Key  string // files (PEM) of the client's certificate, with its chain, and of its key; both or none
	ServerName string // the name to ask for (SNI) and to verify; "" is the host that is dialled
	Insecure   bool   // the server's certificate is not verified
	Minimum    uint16 // the lowest version, tls.VersionTLS12 or higher; 0 is 1.2

	once    sync.Once
	config  *tls.Config
	err     error
	version atomic.Uint32
}

// Load reads the files. It is called by the first Dial at the latest; calling
// it before finds mistakes while there is no connection yet.
func (t *TLS) Load() error {
	t.once.Do(func() { t.config, t.err = t.load() })
	return t.err
}

// Version is the version of the last connection made: "1.3", "1.2", or "" if
// there is none yet. A nil TLS has none.
func (t *TLS) Version() string {
	if t == nil {
		return ""
	}
	if v := uint16(t.version.Load()); v != 0 {
		return strings.TrimPrefix(tls.VersionName(v), "TLS ")
	}
	return ""
}

func (t *TLS) load() (*tls.Config, error) {
	c := &tls.Config{
		ServerName:         t.ServerName,
		InsecureSkipVerify: t.Insecure,
		MinVersion:         max(t.Minimum, tls.VersionTLS12),
		// Without a ClientSessionCache every handshake is a whole one. Resumed
		// ones would save the server some CPU while connections are made, and
		// mix two kinds of connect times; and redis-server refuses them where it
		// verifies clients without caching sessions.

		// A pipeline goes out in as few records as it fits.
		DynamicRecordSizingDisabled: true,
	}
	if t.CA != "" || t.CADir != "" {
		c.RootCAs = x509.NewCertPool()
	}
	if t.CA != "" {
		if err := addCertificates(c.RootCAs, t.CA); err != nil {
			return nil, err
		}
	}
	if t.CADir != "" {
		if err := addFolder(c.RootCAs, t.CADir); err != nil {
			return nil, err
		}
	}
	switch {
	case t.Cert == "" && t.Key == "":
		return c, nil
	case t.Key == "":
		return nil, fmt.Errorf("TLS: certificate %q: its key is missing", t.Cert)
	case t.Cert == "":
		return nil, fmt.Errorf("TLS: key %q: its certificate is missing", t.Key)
	}
	own, err := readPair(t.Cert, t.Key)
	if err != nil {
		return nil, err
	}
	// Also where the server names authorities that did not sign it: the
	// server then says why it refuses, instead of missing a certificate.
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return own, nil }
	return c, nil
}

// addCertificates adds those of a file, at least one.
func addCertificates(pool *x509.CertPool, name string) error {
	text, err := readPEM(name)
	if err != nil {
		return fmt.Errorf("TLS: CA %q: %w", name, withoutPath(err))
	}
	if !pool.AppendCertsFromPEM(text) {
		return fmt.Errorf("TLS: CA %q: no certificate in it; a PEM file is wanted", name)
	}
	return nil
}

// addFolder adds the certificates of every file in a folder. Files of another
// kind may lie there, but not alone.
func addFolder(pool *x509.CertPool, name string) error {
	entries, err := os.ReadDir(name)
	if err != nil {
		return fmt.Errorf("TLS: CA folder %q: %w", name, withoutPath(err))
	}
	found := false
	for _, e := range entries {
		path := filepath.Join(name, e.Name()) // often a link
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue // a pipe would be waited for
		}
		text, err := readPEM(path)
		found = err == nil && pool.AppendCertsFromPEM(text) || found
	}
	if !found {
		return fmt.Errorf("TLS: CA folder %q: no certificate in it; PEM files are wanted", name)
	}
	return nil
}

// readPair reads the client's certificate and its key.
func readPair(certFile, keyFile string) (*tls.Certificate, error) {
	cert, err := readPEM(certFile)
	if err != nil {
		return nil, fmt.Errorf("TLS: certificate %q: %w", certFile, withoutPath(err))
	}
	key, err := readPEM(keyFile)
	if err != nil {
		return nil, fmt.Errorf("TLS: key %q: %w", keyFile, withoutPath(err))
	}
	pair, err := tls.X509KeyPair(cert, key)
	switch {
	case err == nil:
		return &pair, nil
	case strings.Contains(string(key), "ENCRYPTED"):
		return nil, fmt.Errorf("TLS: key %q: it is encrypted; decrypt it first: openssl pkey -in %s -out plain.pem", keyFile, keyFile)
	case strings.Contains(err.Error(), "does not match"):
		return nil, fmt.Errorf("TLS: key %q: it does not belong to certificate %q", keyFile, certFile)
	case strings.Contains(err.Error(), "certificate input"), strings.HasPrefix(err.Error(), "x509: "):
		return nil, fmt.Errorf("TLS: certificate %q: no certificate in it; a PEM file is wanted", certFile)
	}
	return nil, fmt.Errorf("TLS: key %q: no private key in it; a PEM file is wanted", keyFile)
}

// maxPEM is far above the certificates of all authorities that there are.
const maxPEM = 16 << 20

// readPEM reads a file, unless it is too large to be meant.
func readPEM(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPEM+1))
	if err == nil && len(text) > maxPEM {
		err = fmt.Errorf("larger than %d bytes", maxPEM)
	}
	if wide := wideEncoding(text); wide != "" && err == nil {
		err = fmt.Errorf("the file is %s, and PEM is plain text: iconv -f %s -t utf-8", strings.ToUpper(wide), wide)
	}
	return text, err
}

// wideEncoding returns the name of the encoding, as iconv has it, of PEM whose
// characters take two bytes, as some editors of Windows write them; otherwise "".
func wideEncoding(text []byte) string {
	at := bytes.Index(text, []byte("-\x00B\x00E\x00G\x00"))
	switch {
	case at < 0:
		return ""
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "utf-16"
	case at%2 == 0:
		return "utf-16le"
	}
	return "utf-16be"
}

// withoutPath is an error of a file without its name.
func withoutPath(err error) error {
	var atPath *fs.PathError
	if errors.As(err, &atPath) {
		return atPath.Err
	}
	return err
}

// configFor is the configuration for one address.
func (t *TLS) configFor(address string) (*tls.Config, error) {
	if err := t.Load(); err != nil {
		return nil, err
	}
	if t.config.ServerName != "" {
		return t.config, nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	c := t.config.Clone()
	c.ServerName = host
	return c, nil
}
