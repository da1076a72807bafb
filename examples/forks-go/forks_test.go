// A private cluster for each test, in parallel: a fork of the one that envtest has started with Gatehouse's programs.
// Run with KUBEBUILDER_ASSETS=DIR after `gatehouse envtest install DIR`.
package forks

import (
	"context"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var parent *rest.Config

func TestMain(m *testing.M) {
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		panic(err)
	}
	parent = config
	code := m.Run()
	environment.Stop()
	os.Exit(code)
}

// fork returns the configuration of a private clone of the cluster, which ends with the test.
func fork(t *testing.T) *rest.Config {
	t.Helper()
	ctx, client := context.Background(), kubernetes.NewForConfigOrDie(parent).CoreV1().RESTClient()
	kubeconfig, err := client.Post().AbsPath("/forks").DoRaw(ctx)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := clientcmd.Load(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Delete().AbsPath("/forks", loaded.CurrentContext).DoRaw(ctx) })
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func TestForks(t *testing.T) {
	for _, name := range []string{"one", "two", "three", "four"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, configMaps := context.Background(), kubernetes.NewForConfigOrDie(fork(t)).CoreV1().ConfigMaps("default")
			// The same name in each cluster: nobody else is there.
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}, Data: map[string]string{"of": name}}
			if _, err := configMaps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			list, err := configMaps.List(ctx, metav1.ListOptions{})
			if err != nil || len(list.Items) != 1 || list.Items[0].Data["of"] != name {
				t.Fatalf("not a cluster of its own: %v %v", list.Items, err)
			}
		})
	}
}
