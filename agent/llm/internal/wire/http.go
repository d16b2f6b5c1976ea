package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"time"
)

// TLS is what one service wants of certificates beside the system's.
type TLS struct {
	// CACert is a file with further certificates (ssl_ca_cert).
	CACert string
	// Insecure accepts any certificate (ssl_verify: false).
	Insecure bool
}

// NewHTTP returns an HTTP client: proxies from the environment, connections
// kept, no limit of its own on time (the requests carry theirs). SSL_CERT_FILE
// is honoured on every system. An error means that o.CACert cannot be used.
func NewHTTP(o TLS) (*http.Client, error) {
	conf, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dial,
		TLSClientConfig:     conf,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // a compressed stream arrives in lumps
		MaxIdleConnsPerHost: 4,    // turn, title, and two to spare
		IdleConnTimeout:     5 * time.Minute,
		TLSHandshakeTimeout: 30 * time.Second,
	}}, nil
}

func tlsConfig(o TLS) (*tls.Config, error) {
	if o.Insecure {
		return &tls.Config{InsecureSkipVerify: true}, nil //nolint:gosec // the user wrote ssl_verify: false
	}
	if o.CACert == "" {
		return certFile(os.Getenv("SSL_CERT_FILE")), nil
	}
	pem, err := os.ReadFile(o.CACert)
	if err != nil {
		return nil, fmt.Errorf("ssl_ca_cert: %w", err)
	}
	pool := systemPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ssl_ca_cert: %s: %w", o.CACert, errNoCert)
	}
	return &tls.Config{RootCAs: pool}, nil
}

var errNoCert = errors.New("no PEM certificate in it")

// certFile adds the certificates of file where Go does not read the variable
// by itself. An unreadable file leaves the system's certificates in force.
func certFile(file string) *tls.Config {
	if file == "" || (runtime.GOOS != "darwin" && runtime.GOOS != "windows") {
		return nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	pool := systemPool()
	pool.AppendCertsFromPEM(pem)
	return &tls.Config{RootCAs: pool}
}

func systemPool() *x509.CertPool {
	pool, err := x509.SystemCertPool()
	if err != nil {
		return x509.NewCertPool()
	}
	return pool
}

// Warm reads the system's certificates, for which the first TLS connection
// would wait. No request is sent.
func Warm() {
	_ = systemPool() // the runtime keeps what it read
}
