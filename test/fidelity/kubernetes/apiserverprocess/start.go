// Package apiserverprocess starts the kube-apiserver of KUBEBUILDER_ASSETS for Kubernetes' integration tests, which start one
// inside of the test's process otherwise.
package apiserverprocess

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// loopbackToken authenticates the client that tests get, as system:apiserver, which is the loopback client's user.
const loopbackToken = "6c6f6f706261636b"

const (
	startTimeout = time.Minute
	stopTimeout  = 20 * time.Second
)

// Options says how a process is started.
type Options struct {
	// Flags are those of kube-apiserver without --secure-port, --cert-dir and --token-auth-file.
	Flags []string
	// Dir keeps certificates and tokens. It is removed with the process, or when that does not start.
	Dir string
	// TokenFile has further tokens; empty for none.
	TokenFile string
	// Port is that of HTTPS; 0 for a free one.
	Port int
	// SkipHealthz returns before the server is healthy.
	SkipHealthz bool
}

// Process is a running kube-apiserver.
type Process struct {
	// Config is that of a client in the group system:masters.
	Config *restclient.Config
	// Port is that of HTTPS.
	Port int

	dir     string
	command *exec.Cmd
	ended   chan struct{}
	err     error
}

// Start starts a process, and returns when it is healthy and the namespace default exists. It fails when the process ends, or
// after a minute.
func Start(o Options) (*Process, error) {
	process, err := start(o)
	if err != nil {
		os.RemoveAll(o.Dir)
	}
	return process, err
}

func start(o Options) (*Process, error) {
	tokens := fmt.Sprintf("%s,system:apiserver,%s,system:masters\n", loopbackToken, loopbackToken)
	if o.TokenFile != "" {
		others, err := os.ReadFile(o.TokenFile)
		if err != nil {
			return nil, err
		}
		tokens += string(others)
	}
	tokenFile := filepath.Join(o.Dir, "tokens.csv")
	if err := os.WriteFile(tokenFile, []byte(tokens), 0600); err != nil {
		return nil, err
	}
	port := o.Port
	if port == 0 {
		var err error
		if port, err = freePort(); err != nil {
			return nil, err
		}
	}

	flags := append(o.Flags,
		"--secure-port="+strconv.Itoa(port),
		"--cert-dir="+o.Dir,
		"--token-auth-file="+tokenFile,
	)
	if gates := featureGates(); gates != "" {
		flags = append(flags, "--feature-gates="+gates)
	}
	p := &Process{Port: port, dir: o.Dir, ended: make(chan struct{})}
	p.command = exec.Command(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kube-apiserver"), flags...)
	// What the process logs must not count as output of a test.
	log, err := os.Create(filepath.Join(o.Dir, "kube-apiserver.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.command.Stdout, p.command.Stderr = log, log
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	if err := p.waitUntilReady(o.SkipHealthz, filepath.Join(o.Dir, "apiserver.crt")); err != nil {
		said, _ := os.ReadFile(log.Name())
		p.Stop()
		return nil, fmt.Errorf("%w: %s\n%s", err, strings.Join(flags, " "), said)
	}
	return p, nil
}

// Stop ends the process by SIGTERM, after 20 s by SIGKILL, waits for its end, and removes its files.
func (p *Process) Stop() {
	p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		p.command.Process.Kill()
		<-p.ended
	}
	os.RemoveAll(p.dir)
}

func (p *Process) waitUntilReady(skipHealthz bool, caFile string) error {
	deadline := time.Now().Add(startTimeout)
	err := fmt.Errorf("no certificate")
	for time.Now().Before(deadline) {
		select {
		case <-p.ended:
			return fmt.Errorf("kube-apiserver ended: %v", p.err)
		case <-time.After(50 * time.Millisecond):
		}
		var ca []byte
		if ca, err = os.ReadFile(caFile); err != nil {
			continue
		}
		p.Config = &restclient.Config{
			Host:        "https://127.0.0.1:" + strconv.Itoa(p.Port),
			BearerToken: loopbackToken,
			// kube-apiserver makes its certificate for the addresses of the machine, not for loopback ones.
			TLSClientConfig: restclient.TLSClientConfig{CAData: ca, ServerName: "kubernetes.default.svc"},
			QPS:             1000,
			Burst:           10000,
		}
		if err = isReady(p.Config, skipHealthz); err == nil {
			return nil
		}
	}
	return fmt.Errorf("not ready after %s: %w", startTimeout, err)
}

func isReady(config *restclient.Config, skipHealthz bool) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if !skipHealthz {
		status := 0
		result := client.CoreV1().RESTClient().Get().AbsPath("/healthz").Do(ctx).StatusCode(&status)
		if status != http.StatusOK {
			return fmt.Errorf("/healthz: %d %v", status, result.Error())
		}
	}
	return client.CoreV1().RESTClient().Get().AbsPath("/api/v1/namespaces/default").Do(ctx).Error()
}

// Issuer is that of tokens of service accounts.
const Issuer = "https://foo.bar.example.com"

// ServiceAccountFlags writes a key for tokens of service accounts, and returns the flags that name it. The issuer is apart, since
// some tests name their own.
func ServiceAccountFlags(dir string) ([]string, error) {
	key := filepath.Join(dir, "service-accounts.key")
	encoded, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return nil, err
	}
	return []string{
		"--service-account-signing-key-file=" + key,
		"--service-account-key-file=" + key,
	}, os.WriteFile(key, encoded, 0600)
}

// Given returns the flags of a set that a test has given, without those of some names.
func Given(set *pflag.FlagSet, without map[string]bool) []string {
	var flags []string
	set.Visit(func(flag *pflag.Flag) {
		if !without[flag.Name] {
			flags = append(flags, Argument(flag))
		}
	})
	return flags
}

// Differing returns the flags that say where options are not kube-apiserver's defaults.
func Differing(opts *options.ServerRunOptions) []string {
	var flags []string
	defaults := flagsOf(options.NewServerRunOptions())
	flagsOf(opts).VisitAll(func(flag *pflag.Flag) {
		if argument := Argument(flag); argument != Argument(defaults.Lookup(flag.Name)) {
			flags = append(flags, argument)
		}
	})
	return flags
}

func flagsOf(opts *options.ServerRunOptions) *pflag.FlagSet {
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, part := range opts.Flags().FlagSets {
		set.AddFlagSet(part)
	}
	return set
}

// Argument returns a flag with its value as it stands on a command line.
func Argument(flag *pflag.Flag) string {
	value := flag.Value.String()
	if slice, ok := flag.Value.(pflag.SliceValue); ok {
		value = strings.Join(slice.GetSlice(), ",")
	}
	return "--" + flag.Name + "=" + value
}

// featureGates returns the gates that the test has set, since the process has those of its own.
func featureGates() string {
	var gates []string
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		enabled := utilfeature.DefaultFeatureGate.Enabled(name)
		if enabled != spec.Default && !spec.LockToDefault && !strings.HasPrefix(string(name), "All") {
			gates = append(gates, fmt.Sprintf("%s=%t", name, enabled))
		}
	}
	return strings.Join(gates, ",")
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
