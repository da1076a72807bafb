// Package testing starts a kube-apiserver for the tests of apiextensions-apiserver, as a process.
package testing

import (
	"os"

	"github.com/spf13/pflag"

	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	restclient "k8s.io/client-go/rest"
	"k8s.io/kubernetes/test/utils/apiserverprocess"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServerInstanceOptions has no members.
type TestServerInstanceOptions struct{}

// TestServer is what tests get.
type TestServer struct {
	ClientConfig    *restclient.Config
	ServerOpts      *options.CustomResourceDefinitionsServerOptions
	TearDownFn      TearDownFunc
	TmpDir          string
	CompletedConfig apiserver.CompletedConfig
}

// Logger is the part of testing.TB that is used.
type Logger interface {
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
}

// NewDefaultTestServerOptions returns options without members.
func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{}
}

// StartTestServerOrDie starts a server, and fails the test if it does not start.
func StartTestServerOrDie(t Logger, o *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	server, err := StartTestServer(t, o, flags, storage)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &server
}

// ofExtensionServers are flags that kube-apiserver does not have: it is in front itself.
var ofExtensionServers = map[string]bool{
	"authentication-kubeconfig":  true,
	"authentication-skip-lookup": true,
	"authorization-kubeconfig":   true,
	"kubeconfig":                 true,
}

// StartTestServer starts a server with the flags of a test.
func StartTestServer(_ Logger, _ *TestServerInstanceOptions, custom []string, storage *storagebackend.Config) (TestServer, error) {
	dir, err := os.MkdirTemp("", "apiextensions-apiserver")
	if err != nil {
		return TestServer{}, err
	}
	opts := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	opts.AddFlags(set)
	if storage != nil {
		opts.RecommendedOptions.Etcd.StorageConfig = *storage
	}
	if err := set.Parse(custom); err != nil {
		return TestServer{}, err
	}
	flags, err := apiserverprocess.ServiceAccountFlags(dir)
	if err != nil {
		return TestServer{}, err
	}
	flags = append(flags, "--service-account-issuer="+apiserverprocess.Issuer, "--service-cluster-ip-range=10.0.0.0/16",
		"--runtime-config=api/all=true")
	flags = append(flags, apiserverprocess.Given(set, ofExtensionServers)...)
	process, err := apiserverprocess.Start(apiserverprocess.Options{Flags: flags, Dir: dir})
	if err != nil {
		return TestServer{}, err
	}
	return TestServer{ClientConfig: process.Config, ServerOpts: opts, TearDownFn: process.Stop, TmpDir: dir}, nil
}
