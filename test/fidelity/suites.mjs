// Public test suites that start kube-apiserver and etcd themselves, by Go module: each package is a suite.

const controllerRuntime = [
  ...["pkg/envtest", "pkg/cache", "pkg/manager", "pkg/builder", "pkg/webhook", "pkg/controller", "pkg/client"],
  ...["pkg/cluster", "pkg/source", "pkg/internal/controller", "pkg/internal/recorder", "pkg/handler"],
  ...["pkg/controller/controllerutil", "pkg/client/apiutil", "pkg/internal/testing/controlplane"],
];

export const modules = [
  { path: "sigs.k8s.io/controller-runtime", version: "v0.17.0", packages: controllerRuntime },
  { path: "sigs.k8s.io/controller-runtime", version: "v0.20.4", packages: controllerRuntime },
];
