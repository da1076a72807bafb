package framework

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/controlplane"
	"k8s.io/kubernetes/test/utils"
	"k8s.io/kubernetes/test/utils/apiserverprocess"
)

// TestServerSetup changes the configuration of a server.
type TestServerSetup struct {
	ModifyServerRunOptions func(*options.ServerRunOptions)
	ModifyServerConfig     func(*controlplane.Config)
}

// TearDownFunc ends a server.
type TearDownFunc func()

// StartTestServer starts a kube-apiserver as a process, with the flags that say what the setup has changed of its options. A
// test that changes a configuration in memory is skipped: a process takes none.
func StartTestServer(_ context.Context, t testing.TB, setup TestServerSetup) (client.Interface, *rest.Config, TearDownFunc) {
	if setup.ModifyServerConfig != nil {
		t.Skip("the test changes a configuration that only a server in its process has")
	}
	dir, err := os.MkdirTemp("", "test-integration-"+strings.ReplaceAll(t.Name(), "/", "_"))
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"front-proxy-ca", "client-ca"} {
		writeAuthority(t, file(name+".crt"), name)
	}
	serviceAccountFlags, err := apiserverprocess.ServiceAccountFlags(dir)
	if err != nil {
		t.Fatal(err)
	}

	opts := options.NewServerRunOptions()
	opts.Etcd.StorageConfig.Prefix = path.Join("/", uuid.New().String(), "registry")
	opts.Etcd.StorageConfig.Transport.ServerList = []string{GetEtcdURL()}
	opts.ServiceClusterIPRanges = "10.0.0.0/24"
	opts.Authentication.RequestHeader.UsernameHeaders = []string{"X-Remote-User"}
	opts.Authentication.RequestHeader.GroupHeaders = []string{"X-Remote-Group"}
	opts.Authentication.RequestHeader.ExtraHeaderPrefixes = []string{"X-Remote-Extra-"}
	opts.Authentication.RequestHeader.AllowedNames = []string{"kube-aggregator"}
	opts.Authentication.RequestHeader.ClientCAFile = file("front-proxy-ca.crt")
	opts.Authentication.APIAudiences = []string{"https://foo.bar.example.com"}
	opts.Authentication.ServiceAccounts.Issuers = []string{apiserverprocess.Issuer}
	opts.Authentication.ClientCert.ClientCA = file("client-ca.crt")
	opts.Authorization.Modes = []string{"Node", "RBAC"}
	if setup.ModifyServerRunOptions != nil {
		setup.ModifyServerRunOptions(opts)
	}
	tokenFile := opts.Authentication.TokenFile.TokenFile
	opts.Authentication.TokenFile.TokenFile = ""
	port := 0
	if opts.SecureServing.BindPort != options.NewServerRunOptions().SecureServing.BindPort {
		port = opts.SecureServing.BindPort
	}

	process, err := apiserverprocess.Start(apiserverprocess.Options{
		Flags:     append(serviceAccountFlags, apiserverprocess.Differing(opts)...),
		Dir:       dir,
		TokenFile: tokenFile,
		Port:      port,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client.NewForConfigOrDie(process.Config), process.Config, process.Stop
}

func writeAuthority(t testing.TB, file, name string) {
	key, err := utils.NewPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	authority, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, utils.EncodeCertPEM(authority), 0644); err != nil {
		t.Fatal(err)
	}
}
