// Public test suites that start kube-apiserver and etcd themselves, by Go module: each package is a suite. The tests of
// `ginkgo` modules are specs; those of the others are tests of Go and their parts. `prepare` is what a shell does once in the
// copy of a module: files that its Makefile makes, and projects that it generates, whose packages are suites, too.

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

const laterClusterApi = [
  ...clusterApi,
  ...["core/v1alpha3", "core/exp/v1alpha3", "core/exp/addons/v1alpha3"].map((name) => `internal/apis/${name}`),
];

// The others in test/integration start no kube-apiserver.
const certManager = [
  ...["acme", "certificaterequests", "certificates", "challenges", "conversion", "ctl", "ctl/migrate", "issuers"],
  ...["rfc2136_dns01", "validation", "webhook"],
].map((name) => `test/integration/${name}`);

// The Makefile renders the chart for this, in which labels are all that is to be filled in.
const certManagerDefinitions = `
  mkdir -p _bin/yaml/templated-crds
  for crd in deploy/crds/crd-*.yaml; do
    sed -e 's/{{ .Release.Name }}/cert-manager/; s/{{ template "cert-manager.name" . }}/cert-manager/; /{{-/d' "$crd" \
      > "_bin/yaml/templated-crds/$(basename "$crd" .yaml).templated.yaml"
  done`;

// The project of somebody who runs kubebuilder and writes nothing. The releases of golang.org/x/tools and controller-tools
// that kubebuilder v3 names do not compile with Go 1.25 and later.
const generatedProject = `
  go get golang.org/x/tools@v0.30.0
  go build -o bin/kubebuilder ./cmd
  export CONTROLLER_TOOLS_VERSION=v0.22.0
  mkdir project
  cd project
  go mod init example.org/fleet
  ../bin/kubebuilder init --plugins go/v4 --domain example.org
  create() { ../bin/kubebuilder create "$@"; }
  create api --group crew --version v1 --kind Captain --controller --resource --make=false
  create webhook --group crew --version v1 --kind Captain --defaulting --programmatic-validation
  create api --group crew --version v1 --kind Admiral --plural admirales --controller --resource --namespaced=false --make=false
  create webhook --group crew --version v1 --kind Admiral --plural admirales --defaulting
  create api --group crew --version v1 --kind FirstMate --controller --resource --make=false
  create webhook --group crew --version v1 --kind FirstMate --conversion
  create api --plugins deploy-image/v1-alpha --group crew --version v1 --kind Galley --image memcached:1.6 --make=false
  make manifests generate`;

// The projects of kubebuilder's tutorials, which add specs to the suites of webhooks: v4 generates those without.
const tutorials = `
  go build -o bin/kubebuilder .
  sed -i "s|/tmp/kubebuilder|$PWD|" hack/docs/generate_samples.go
  go run ./hack/docs`;
const tutorialSuites = {
  "cronjob-tutorial": ["internal/controller", "internal/webhook/v1"],
  "multiversion-tutorial": ["internal/controller", "internal/webhook/v1"],
  "getting-started": ["internal/controller"],
};

// The definitions of jobs that kueue queues, from the modules that define them.
const definitionsOfJobs = `
  definitions() {
    mkdir -p "dep-crds/$1"
    go mod download "$2"
    cp "$(go list -m -f '{{.Dir}}' "$2")"/$3/* "dep-crds/$1"
    chmod -R u+w dep-crds
  }
  definitions mpi-operator github.com/kubeflow/mpi-operator manifests/base
  definitions training-operator github.com/kubeflow/training-operator manifests/base/crds
  definitions ray-operator github.com/ray-project/kuberay/ray-operator config/crd/bases
  definitions jobset-operator sigs.k8s.io/jobset config/components/crd/bases
  definitions cluster-autoscaler k8s.io/autoscaler/cluster-autoscaler config/crd`;
const kueue = [
  ...["webhook", "scheduler", "scheduler/podsready", "multikueue", "controller/core"],
  "controller/admissionchecks/provisioning",
  ...["job", "jobset", "mpijob", "pod", "pytorchjob", "raycluster", "rayjob", "tfjob"].map(
    (name) => `controller/jobs/${name}`,
  ),
].map((name) => `test/integration/${name}`);

const externalSecrets = [
  "clusterexternalsecret",
  "crds",
  "externalsecret",
  "pushsecret",
  "secretstore",
  "webhookconfig",
].map((name) => `pkg/controllers/${name}`);

const trainingOperator = ["mpi", "mxnet", "paddlepaddle", "pytorch", "tensorflow", "xgboost"].map(
  (name) => `pkg/controller.v1/${name}`,
);

const karpenterControllers = [
  ...["disruption", "disruption/orchestration", "leasegarbagecollection", "metrics/node", "metrics/nodepool"],
  ...["metrics/pod", "node/termination", "node/termination/terminator", "nodeclaim/consistency"],
  ...["nodeclaim/disruption", "nodeclaim/expiration", "nodeclaim/garbagecollection", "nodeclaim/lifecycle"],
  ...["nodeclaim/podevents", "nodeclaim/termination", "nodepool/counter", "nodepool/hash", "nodepool/readiness"],
  ...["nodepool/validation", "provisioning", "provisioning/scheduling", "state"],
];
const karpenter = [
  ...["pkg/apis/v1", "pkg/apis/v1beta1"],
  ...karpenterControllers.map((name) => `pkg/controllers/${name}`),
  ...["node", "nodeclaim", "termination"].map((name) => `pkg/utils/${name}`),
];

const kruise = [
  ...["cloneset", "statefulset", "uniteddeployment"].map((name) => `pkg/controller/${name}`),
  "pkg/util/imagejob",
];

// Releases of golang.org/x/tools that older modules name do not compile with Go 1.25 and later.
const newerTools = "go get golang.org/x/tools@v0.30.0";

// gateway-api's tests of its expressions in CEL want a cluster in which the definitions of a channel are installed. In the
// copy, a file of ours (`gateway-api/`) starts one, and each channel gets a package of its tests.
const channelsOfGatewayApi = `
  channel() {
    mkdir "pkg/test/$1"
    cp pkg/test/cel/*.go "pkg/test/$1"
    rm $(grep -l "^//go:build $2" "pkg/test/$1"/*.go)
    sed -i '/^\\/\\/go:build/d; /^\\/\\/ +build/d' "pkg/test/$1"/*.go
    sed "s/CHANNEL/$1/" "$FIDELITY/gateway-api/main_test.go" > "pkg/test/$1/main_test.go"
  }
  channel standard experimental
  channel experimental standard`;

// Kubernetes' own integration tests, which start a kube-apiserver inside of their process. In the copy, what starts it is
// replaced by files of ours (`kubernetes/`), which start that of the pair.
const kubernetes = [
  "apiserver",
  ...["admissionwebhook", "apply", "cel", "certreload", "discovery", "flowcontrol", "oidc", "openapi", "podlogs"].map(
    (name) => `apiserver/${name}`,
  ),
].map((name) => `test/integration/${name}`);
const apiExtensions = "k8s.io/apiextensions-apiserver/test/integration";
const serversAsProcesses = `
  sed -i -E 's#=> \\./staging/src/(k8s\\.io/[a-z-]+)#=> \\1 v0.29.0#' go.mod
  extensions=staging/src/k8s.io/apiextensions-apiserver
  mkdir -p staging/src/k8s.io
  go mod download k8s.io/apiextensions-apiserver@v0.29.0
  cp -r "$(go env GOMODCACHE)/k8s.io/apiextensions-apiserver@v0.29.0" "$extensions"
  chmod -R u+w "$extensions"
  go mod edit -replace "k8s.io/apiextensions-apiserver=./$extensions"
  mkdir -p test/utils/apiserverprocess
  cp "$FIDELITY/kubernetes/apiserverprocess/start.go" test/utils/apiserverprocess
  cp "$FIDELITY/kubernetes/apptesting/testserver.go" cmd/kube-apiserver/app/testing
  cp "$FIDELITY/kubernetes/framework/test_server.go" test/integration/framework
  sed -i 's/^func StartRealAPIServerOrDie(/func startInsideOfTheTest(/' test/integration/etcd/server.go
  cp "$FIDELITY/kubernetes/etcd/start_process.go" test/integration/etcd
  go mod download k8s.io/api@v0.29.0
  ln -s "$(go env GOMODCACHE)/k8s.io/api@v0.29.0" staging/src/k8s.io/api
  cp "$FIDELITY/kubernetes/apiextensionstesting/testserver.go" "$extensions/pkg/cmd/server/testing"
  cp "$FIDELITY/kubernetes/apiextensionstesting/main_test.go" "$extensions/test/integration"`;

/**
 * The modules. A package is a folder of its module, or the import path of a package that it depends on. Tests of `skip` end
 * the whole program, since they use a server inside of it.
 */
export const modules = [
  {
    path: "k8s.io/kubernetes",
    version: "v1.29.0",
    runner: "go",
    packages: [...kubernetes, apiExtensions],
    prepare: serversAsProcesses,
    skip: "^TestPruningFromStorage$",
  },
  { path: "sigs.k8s.io/controller-runtime", version: "v0.17.0", runner: "ginkgo", packages: controllerRuntime },
  { path: "sigs.k8s.io/controller-runtime", version: "v0.20.4", runner: "ginkgo", packages: controllerRuntime },
  { path: "sigs.k8s.io/cluster-api", version: "v1.6.8", runner: "go", packages: clusterApi },
  {
    path: "github.com/cert-manager/cert-manager",
    version: "v1.11.5",
    runner: "go",
    packages: certManager,
    prepare: certManagerDefinitions,
  },
  {
    path: "sigs.k8s.io/kubebuilder/v3",
    version: "v3.15.1",
    runner: "ginkgo",
    packages: ["project/internal/controller", "project/api/v1"],
    prepare: generatedProject,
  },
  {
    path: "sigs.k8s.io/kubebuilder/v4",
    version: "v4.16.0",
    runner: "ginkgo",
    packages: Object.entries(tutorialSuites).flatMap(([tutorial, names]) =>
      names.map((name) => `docs/book/src/${tutorial}/testdata/project/${name}`),
    ),
    prepare: tutorials,
  },
  { path: "sigs.k8s.io/kueue", version: "v0.6.0", runner: "ginkgo", packages: kueue, prepare: definitionsOfJobs },
  {
    path: "github.com/external-secrets/external-secrets",
    version: "v0.9.13",
    runner: "ginkgo",
    packages: externalSecrets,
  },
  {
    path: "github.com/kedacore/keda/v2",
    version: "v2.13.0",
    runner: "ginkgo",
    packages: ["controllers/keda", "apis/keda/v1alpha1"],
  },
  {
    path: "sigs.k8s.io/jobset",
    version: "v0.5.2",
    runner: "ginkgo",
    packages: ["test/integration/controller", "test/integration/webhook"],
  },
  { path: "github.com/kubeflow/training-operator", version: "v1.7.0", runner: "ginkgo", packages: trainingOperator },
  { path: "github.com/fluxcd/pkg/ssa", version: "v0.36.0", runner: "go", packages: [".", "jsondiff"] },
  {
    path: "github.com/rabbitmq/cluster-operator/v2",
    version: "v2.7.0",
    runner: "ginkgo",
    packages: ["controllers", "api/v1beta1"],
  },
  { path: "github.com/cloudnative-pg/cloudnative-pg", version: "v1.22.1", runner: "ginkgo", packages: ["controllers"] },
  { path: "sigs.k8s.io/karpenter", version: "v1.0.0", runner: "ginkgo", packages: karpenter },
  {
    path: "sigs.k8s.io/gateway-api",
    version: "v1.1.0",
    runner: "go",
    packages: ["pkg/test/standard", "pkg/test/experimental"],
    prepare: channelsOfGatewayApi,
  },
  {
    path: "github.com/openkruise/kruise",
    version: "v1.5.2",
    runner: "go",
    packages: kruise,
    prepare: newerTools,
  },
  {
    path: "sigs.k8s.io/lws",
    version: "v0.3.0",
    runner: "ginkgo",
    packages: ["test/integration/controllers", "test/integration/webhooks"],
  },
  {
    path: "sigs.k8s.io/hierarchical-namespaces",
    version: "v1.1.0",
    runner: "ginkgo",
    packages: ["hierarchyconfig", "hncconfig", "hrq", "objects"].map((name) => `internal/${name}`),
    prepare: newerTools,
  },
  {
    path: "github.com/ray-project/kuberay/ray-operator",
    version: "v1.1.0",
    runner: "ginkgo",
    packages: ["apis/ray/v1", "controllers/ray"],
  },
  { path: "sigs.k8s.io/cluster-api", version: "v1.8.5", runner: "go", packages: laterClusterApi },
  {
    path: "github.com/k8ssandra/cass-operator",
    version: "v1.19.0",
    runner: "ginkgo",
    packages: ["internal/controllers/cassandra", "internal/controllers/control"],
  },
  {
    path: "github.com/kubevela/workflow",
    version: "v0.6.0",
    runner: "go",
    packages: ["cue", "executor", "generator", "providers/kube", "webhook/v1alpha1/workflowrun"].map(
      (name) => `pkg/${name}`,
    ),
  },
  {
    path: "sigs.k8s.io/cluster-api-provider-openstack",
    version: "v0.9.0",
    runner: "ginkgo",
    packages: ["controllers"],
  },
  {
    path: "github.com/operator-framework/operator-lifecycle-manager",
    version: "v0.27.0",
    runner: "ginkgo",
    packages: ["pkg/controller/operators"],
  },
];

/** Returns the last part of the path of a module that names it: not that of a major version. */
export function moduleName(path) {
  return path
    .replace(/\/v\d+$/, "")
    .split("/")
    .at(-1);
}
