package integration

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestMain starts the etcd that the tests of this package expect to be running.
func TestMain(m *testing.M) {
	os.Exit(runWithEtcd(m))
}

func runWithEtcd(m *testing.M) int {
	dir, err := os.MkdirTemp("", "integration-etcd")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	address := listener.Addr().String()
	listener.Close()
	url := "http://" + address
	etcd := exec.Command("etcd", "--data-dir", dir, "--listen-client-urls", url, "--advertise-client-urls", url,
		"--listen-peer-urls", "http://127.0.0.1:0")
	if err := etcd.Start(); err != nil {
		panic(err)
	}
	defer func() {
		etcd.Process.Kill()
		etcd.Wait()
	}()
	if err := waitFor(address); err != nil {
		panic(err)
	}
	os.Setenv("KUBE_INTEGRATION_ETCD_URL", url)
	return m.Run()
}

func waitFor(address string) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return nil
		}
	}
	return fmt.Errorf("etcd does not listen at %s", address)
}
