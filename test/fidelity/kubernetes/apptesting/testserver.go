// Package testing starts a kube-apiserver for a test, as a process.
package testing

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	testutil "k8s.io/kubernetes/test/utils"
	"k8s.io/kubernetes/test/utils/apiserverprocess"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServerInstanceOptions has the members that tests set.
type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
}

// TestServer is what tests get.
type TestServer struct {
	ClientConfig      *restclient.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string
}

// Logger is the part of testing.TB that is used.
type Logger interface {
	Helper()
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
	Cleanup(func())
}

// ProxyCA is the authority of front proxies.
type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

// NewDefaultTestServerOptions returns options of a server that knows client certificates.
func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

// StartTestServerOrDie starts a server, and fails the test if it does not start.
func StartTestServerOrDie(t Logger, o *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	server, err := StartTestServer(t, o, flags, storage)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &server
}

// StartTestServer starts a server with the flags of a test behind its own.
func StartTestServer(t Logger, o *TestServerInstanceOptions, custom []string, storage *storagebackend.Config) (TestServer, error) {
	if o == nil {
		o = NewDefaultTestServerOptions()
	}
	if o.StorageVersionWrapFunc != nil {
		return TestServer{}, fmt.Errorf("a process takes no function")
	}
	dir, err := os.MkdirTemp("", "kubernetes-kube-apiserver")
	if err != nil {
		return TestServer{}, err
	}
	opts, flags, err := optionsAndFlags(o, dir, custom, storage)
	if err != nil {
		return TestServer{}, err
	}
	process, err := apiserverprocess.Start(apiserverprocess.Options{
		Flags:       flags,
		Dir:         dir,
		TokenFile:   opts.Authentication.TokenFile.TokenFile,
		SkipHealthz: o.SkipHealthzCheck,
	})
	if err != nil {
		return TestServer{}, err
	}
	opts.SecureServing.BindPort = process.Port
	opts.SecureServing.ServerCert.CertKey.CertFile = filepath.Join(dir, "apiserver.crt")
	etcd, err := etcdClient(storage)
	if err != nil {
		process.Stop()
		return TestServer{}, err
	}
	return TestServer{
		ClientConfig: process.Config,
		ServerOpts:   opts,
		TearDownFn: func() {
			process.Stop()
			etcd.Close()
		},
		TmpDir:            dir,
		EtcdClient:        etcd,
		EtcdStoragePrefix: storage.Prefix,
	}, nil
}

// optionsAndFlags returns the flags of a server, and the options that kube-apiserver makes of them.
func optionsAndFlags(o *TestServerInstanceOptions, dir string, custom []string, storage *storagebackend.Config) (*options.ServerRunOptions, []string, error) {
	serviceAccountFlags, err := apiserverprocess.ServiceAccountFlags(dir)
	if err != nil {
		return nil, nil, err
	}
	flags := []string{
		"--service-cluster-ip-range=10.0.0.0/16",
		"--runtime-config=api/all=true",
		"--etcd-servers=" + strings.Join(storage.Transport.ServerList, ","),
		"--etcd-prefix=" + storage.Prefix,
	}
	if storage.Transport.TrustedCAFile != "" {
		flags = append(flags, "--etcd-cafile="+storage.Transport.TrustedCAFile,
			"--etcd-certfile="+storage.Transport.CertFile, "--etcd-keyfile="+storage.Transport.KeyFile)
	}
	if o.EnableCertAuth {
		certFlags, err := writeAuthorities(o, dir)
		if err != nil {
			return nil, nil, err
		}
		flags = append(flags, certFlags...)
	}
	opts := options.NewServerRunOptions()
	opts.Etcd.StorageConfig = *storage
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, part := range opts.Flags().FlagSets {
		set.AddFlagSet(part)
	}
	if err := set.Parse(custom); err != nil {
		return nil, nil, err
	}
	flags = append(flags, apiserverprocess.Given(set, addedByProcess)...)
	flags = append(flags, "--service-account-issuer="+apiserverprocess.Issuer)
	return opts, append(flags, serviceAccountFlags...), nil
}

// addedByProcess are flags that the process gets with what a test has given: further tokens, and the gates of this process.
var addedByProcess = map[string]bool{"token-auth-file": true, "feature-gates": true}

// writeAuthorities writes an authority for clients and one for front proxies, with a certificate of the latter for the server.
func writeAuthorities(o *TestServerInstanceOptions, dir string) ([]string, error) {
	if _, _, err := writeAuthority(filepath.Join(dir, "client-ca.crt"), "client-ca"); err != nil {
		return nil, err
	}
	proxyFile := filepath.Join(dir, "proxy-ca.crt")
	proxyCert, proxyKey, err := proxyAuthority(o, proxyFile)
	if err != nil {
		return nil, err
	}
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := x509.Certificate{
		Subject:               pkix.Name{CommonName: "misty"},
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		NotBefore:             proxyCert.NotBefore,
		NotAfter:              time.Now().Add(10_000 * time.Hour),
		KeyUsage:              x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, proxyCert, signer.Public(), proxyKey)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	ownCert, ownKey := filepath.Join(dir, "misty-crt.crt"), filepath.Join(dir, "misty-crt.key")
	if err := os.WriteFile(ownCert, testutil.EncodeCertPEM(parsed), 0644); err != nil {
		return nil, err
	}
	encoded, err := keyutil.MarshalPrivateKeyToPEM(signer)
	if err != nil {
		return nil, err
	}
	return []string{
		"--client-ca-file=" + filepath.Join(dir, "client-ca.crt"),
		"--requestheader-client-ca-file=" + proxyFile,
		"--requestheader-allowed-names=ash,misty,brock",
		"--requestheader-username-headers=x-remote-user",
		"--requestheader-group-headers=x-remote-group",
		"--requestheader-extra-headers-prefix=x-remote-extra-",
		"--proxy-client-cert-file=" + ownCert,
		"--proxy-client-key-file=" + ownKey,
	}, os.WriteFile(ownKey, encoded, 0600)
}

func proxyAuthority(o *TestServerInstanceOptions, file string) (*x509.Certificate, *rsa.PrivateKey, error) {
	if o.ProxyCA == nil {
		return writeAuthority(file, "front-proxy-ca")
	}
	own := o.ProxyCA
	return own.ProxySigningCert, own.ProxySigningKey, os.WriteFile(file, testutil.EncodeCertPEM(own.ProxySigningCert), 0644)
}

func writeAuthority(file, name string) (*x509.Certificate, *rsa.PrivateKey, error) {
	key, err := testutil.NewPrivateKey()
	if err != nil {
		return nil, nil, err
	}
	authority, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		return nil, nil, err
	}
	return authority, key, os.WriteFile(file, testutil.EncodeCertPEM(authority), 0644)
}

func etcdClient(storage *storagebackend.Config) (*clientv3.Client, error) {
	info := transport.TLSInfo{
		CertFile:      storage.Transport.CertFile,
		KeyFile:       storage.Transport.KeyFile,
		TrustedCAFile: storage.Transport.TrustedCAFile,
	}
	config, err := info.ClientConfig()
	if err != nil {
		return nil, err
	}
	return clientv3.New(clientv3.Config{
		Endpoints:   storage.Transport.ServerList,
		DialTimeout: 20 * time.Second,
		DialOptions: []grpc.DialOption{grpc.WithBlock()},
		TLS:         config,
	})
}
