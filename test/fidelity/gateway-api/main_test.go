package main

import (
	"log"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	v1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/apis/v1alpha2"
	"sigs.k8s.io/gateway-api/apis/v1alpha3"
	"sigs.k8s.io/gateway-api/apis/v1beta1"
)

var k8sClient client.Client

// TestMain starts the control plane for tests of gateway-api's expressions in CEL, which want a cluster that is there.
func TestMain(m *testing.M) {
	os.Exit(runWithControlPlane(m))
}

func runWithControlPlane(m *testing.M) int {
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"../../../config/crd/CHANNEL"},
		ErrorIfCRDPathMissing: true,
	}
	config, err := environment.Start()
	if err != nil {
		log.Panic(err)
	}
	defer func() {
		if err := environment.Stop(); err != nil {
			log.Print(err)
		}
	}()
	if k8sClient, err = client.New(config, client.Options{}); err != nil {
		log.Panic(err)
	}
	for _, install := range []func(*runtime.Scheme) error{v1.Install, v1beta1.Install, v1alpha2.Install, v1alpha3.Install} {
		if err := install(k8sClient.Scheme()); err != nil {
			log.Panic(err)
		}
	}
	return m.Run()
}

func ptrTo[T any](value T) *T {
	return &value
}
