// Public test suites that start kube-apiserver and etcd themselves, by Go module: each package is a suite. The tests of
// `ginkgo` modules are specs; those of the others are tests of Go and their parts.

const controllerRuntime = [
  ...["pkg/envtest", "pkg/cache", "pkg/manager", "pkg/builder", "pkg/webhook", "pkg/controller", "pkg/client"],
  ...["pkg/cluster", "pkg/source", "pkg/internal/controller", "pkg/internal/recorder", "pkg/handler"],
  ...["pkg/controller/controllerutil", "pkg/client/apiutil", "pkg/internal/testing/controlplane"],
];

const clusterApi = [
  ...["internal/webhooks/test", "internal/util/ssa", "util/patch", "controllers/remote"],
  ...["cluster", "clusterclass", "machine", "machinedeployment", "machinehealthcheck", "machineset"].map(
    (name) => `internal/controllers/${name}`,
  ),
  ...["internal/controllers/topology/cluster", "internal/controllers/topology/cluster/structuredmerge"],
  ...["bootstrap/kubeadm/internal/controllers", "controlplane/kubeadm/internal/controllers"],
  ...["exp/addons/internal/controllers", "exp/internal/controllers", "exp/runtime/internal/controllers"],
];

export const modules = [
  { path: "sigs.k8s.io/controller-runtime", version: "v0.17.0", runner: "ginkgo", packages: controllerRuntime },
  { path: "sigs.k8s.io/controller-runtime", version: "v0.20.4", runner: "ginkgo", packages: controllerRuntime },
  { path: "sigs.k8s.io/cluster-api", version: "v1.6.8", runner: "go", packages: clusterApi },
];
