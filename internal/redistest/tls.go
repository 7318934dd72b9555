package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// CA is a certificate authority of one test.
type CA struct {
	File string // its certificate, PEM

	dir    string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	serial int64
}

// Certificate is one that a CA has signed, in files (PEM) and in memory.
type Certificate struct {
	Cert, Key string // files
	TLS       tls.Certificate
}

// NewCA makes an authority whose files are removed when the test ends.
func NewCA(t testing.TB) *CA {
	t.Helper()
	ca := &CA{dir: t.TempDir()}
	ca.cert = &x509.Certificate{
		Subject: pkix.Name{CommonName: "respbench test authority"},
		IsCA:    true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	c := ca.sign(t, "ca", ca.cert)
	ca.File = c.Cert
	ca.cert, ca.key = c.TLS.Leaf, c.TLS.PrivateKey.(*ecdsa.PrivateKey)
	return ca
}

// Server signs a certificate for a server with the given names and addresses;
// without any, for 127.0.0.1 and localhost.
func (ca *CA) Server(t testing.TB, hosts ...string) *Certificate {
	t.Helper()
	return ca.sign(t, "server", serverCertificate(hosts))
}

// Expired is Server with a certificate that was valid until yesterday.
func (ca *CA) Expired(t testing.TB, hosts ...string) *Certificate {
	t.Helper()
	c := serverCertificate(hosts)
	c.NotAfter = time.Now().Add(-24 * time.Hour)
	return ca.sign(t, "server", c)
}

// Client signs a certificate for a client.
func (ca *CA) Client(t testing.TB, name string) *Certificate {
	t.Helper()
	return ca.sign(t, "client", &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

func serverCertificate(hosts []string) *x509.Certificate {
	if len(hosts) == 0 {
		hosts = []string{host, "localhost"}
	}
	c := &x509.Certificate{
		Subject: pkix.Name{CommonName: hosts[0]}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, h)
		}
	}
	return c
}

// sign makes a key and a certificate for it; the first one is the CA's own.
func (ca *CA) sign(t testing.TB, name string, c *x509.Certificate) *Certificate {
	t.Helper()
	ca.serial++
	c.SerialNumber = big.NewInt(ca.serial)
	c.NotBefore = time.Now().Add(-48 * time.Hour)
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(48 * time.Hour)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer := ca.key
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, ca.cert, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return &Certificate{
		Cert: ca.write(t, name, "crt", "CERTIFICATE", der),
		Key:  ca.write(t, name, "key", "PRIVATE KEY", keyDER),
		TLS:  tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf},
	}
}

func (ca *CA) write(t testing.TB, name, extension, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(ca.dir, fmt.Sprintf("%s%d.%s", name, ca.serial, extension))
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Args are the arguments with which a redis-server, started by Start, speaks
// TLS on its TLSPort besides plain text on its Port. Clients need no
// certificate unless further arguments ("--tls-auth-clients", "yes") say so.
func (ca *CA) Args(c *Certificate) []string {
	return []string{
		"--tls-port", "auto", "--tls-cert-file", c.Cert, "--tls-key-file", c.Key,
		"--tls-ca-cert-file", ca.File, "--tls-auth-clients", "no",
	}
}

// StartTLS starts a redis-server that speaks nothing but TLS on TCP, with a
// certificate for 127.0.0.1 and localhost. Its Port and Addr are those of TLS.
func StartTLS(t testing.TB, ca *CA, args ...string) *Server {
	t.Helper()
	all := append(ca.Args(ca.Server(t)), "--port", "0")
	s := Start(t, append(all, args...)...)
	s.Port = s.TLSPort
	s.Addr = net.JoinHostPort(s.Host, fmt.Sprint(s.Port))
	return s
}

// FakeTLS is Fake behind TLS: serve is given connections on which the
// handshake is still to be made, by the first read or write.
func FakeTLS(t testing.TB, config *tls.Config, serve func(*tls.Conn)) (addr string) {
	t.Helper()
	return Fake(t, func(nc net.Conn) { serve(tls.Server(nc, config)) })
}

// AddUser makes an ACL user with a password of any bytes. Without rules the
// user may do everything.
func (s *Server) AddUser(t testing.TB, name, password string, rules ...string) {
	t.Helper()
	if len(rules) == 0 {
		rules = []string{"~*", "&*", "+@all"}
	}
	args := append([]string{"ACL", "SETUSER", name, "reset", "on", ">" + password}, rules...)
	if v := s.Do(t, args...); v.Err() != nil {
		t.Fatal(v.Err())
	}
}
