package etcd

import (
	"context"
	"os"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	apiextensionsclientset "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/runtime"
	cacheddiscovery "k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	clientset "k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/test/integration"
	"k8s.io/kubernetes/test/integration/framework"
	"k8s.io/kubernetes/test/utils/apiserverprocess"
)

// StartRealAPIServerOrDie starts a kube-apiserver as a process that serves all resources and stores JSON in an empty etcd.
func StartRealAPIServerOrDie(t *testing.T, configFuncs ...func(*options.ServerRunOptions)) *APIServer {
	dir, err := os.MkdirTemp("", "test-integration-etcd")
	if err != nil {
		t.Fatal(err)
	}
	serviceAccountFlags, err := apiserverprocess.ServiceAccountFlags(dir)
	if err != nil {
		t.Fatal(err)
	}
	opts := options.NewServerRunOptions()
	opts.Etcd.StorageConfig.Transport.ServerList = []string{framework.GetEtcdURL()}
	opts.Etcd.DefaultStorageMediaType = runtime.ContentTypeJSON
	opts.ServiceClusterIPRanges = "10.0.0.0/24"
	opts.Authentication.APIAudiences = []string{apiserverprocess.Issuer}
	opts.Authentication.ServiceAccounts.Issuers = []string{apiserverprocess.Issuer}
	opts.Authorization.Modes = []string{"RBAC"}
	opts.Admission.GenericAdmission.DisablePlugins = []string{"ServiceAccount"}
	opts.APIEnablement.RuntimeConfig["api/all"] = "true"
	for _, configure := range configFuncs {
		configure(opts)
	}

	rawClient, kvClient, err := integration.GetEtcdClients(opts.Etcd.StorageConfig.Transport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kvClient.Delete(context.Background(), "/registry/", clientv3.WithPrefix()); err != nil {
		t.Fatal(err)
	}
	process, err := apiserverprocess.Start(apiserverprocess.Options{
		Flags: append(serviceAccountFlags, apiserverprocess.Differing(opts)...),
		Dir:   dir,
	})
	if err != nil {
		t.Fatal(err)
	}

	restclient.SetDefaultWarningHandler(restclient.NoWarnings{})
	CreateTestCRDs(t, apiextensionsclientset.NewForConfigOrDie(process.Config), false, GetCustomResourceDefinitionData()...)
	client := clientset.NewForConfigOrDie(process.Config)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(cacheddiscovery.NewMemCacheClient(client.Discovery()))
	mapper.Reset()
	_, serverResources, err := client.Discovery().ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	return &APIServer{
		Client:    client,
		Dynamic:   dynamic.NewForConfigOrDie(process.Config),
		Config:    process.Config,
		KV:        kvClient,
		Mapper:    mapper,
		Resources: GetResources(t, serverResources),
		Cleanup: func() {
			process.Stop()
			rawClient.Close()
		},
	}
}
