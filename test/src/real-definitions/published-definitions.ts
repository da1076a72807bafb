import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseYaml } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";

/** A project that publishes its definitions in a Go module. */
export interface Project {
  readonly name: string;
  readonly module: string;
  /** Folder of its definitions in the module. */
  readonly folder: string;
}

/** Well-known projects, each at a version of the time of v1.29. */
export const projects: readonly Project[] = [
  { name: "cert-manager", module: "github.com/cert-manager/cert-manager@v1.13.3", folder: "deploy/crds" },
  { name: "Istio", module: "istio.io/api@v1.20.2", folder: "kubernetes" },
  {
    name: "Prometheus operator",
    module: "github.com/prometheus-operator/prometheus-operator@v0.70.0",
    folder: "example/prometheus-operator-crd",
  },
  { name: "Gateway API", module: "sigs.k8s.io/gateway-api@v1.0.0", folder: "config/crd/experimental" },
  { name: "Flux", module: "github.com/fluxcd/source-controller@v1.2.3", folder: "config/crd/bases" },
  { name: "Crossplane", module: "github.com/crossplane/crossplane@v1.14.5", folder: "cluster/crds" },
  { name: "Knative", module: "knative.dev/serving@v0.39.3", folder: "config/core/300-resources" },
  { name: "Argo Rollouts", module: "github.com/argoproj/argo-rollouts@v1.6.4", folder: "manifests/crds" },
  {
    name: "Argo Workflows",
    module: "github.com/argoproj/argo-workflows/v3@v3.5.2",
    folder: "manifests/base/crds/minimal",
  },
  { name: "Tekton", module: "github.com/tektoncd/pipeline@v0.55.0", folder: "config" },
  {
    name: "CSI snapshotter",
    module: "github.com/kubernetes-csi/external-snapshotter/client/v6@v6.3.0",
    folder: "config/crd",
  },
  { name: "Cluster API", module: "sigs.k8s.io/cluster-api@v1.6.1", folder: "config/crd/bases" },
  { name: "Velero", module: "github.com/vmware-tanzu/velero@v1.13.0", folder: "config/crd/v1/bases" },
  { name: "KEDA", module: "github.com/kedacore/keda/v2@v2.12.1", folder: "config/crd/bases" },
  { name: "Kyverno", module: "github.com/kyverno/kyverno@v1.11.4", folder: "config/crds" },
  { name: "Argo CD", module: "github.com/argoproj/argo-cd/v2@v2.9.5", folder: "manifests/crds" },
  { name: "Cilium", module: "github.com/cilium/cilium@v1.15.0", folder: "pkg/k8s/apis/cilium.io/client/crds" },
];

const run = promisify(execFile);

/**
 * The definitions of a project, through the configured module proxy, with `cache` as the place for what is downloaded; or
 * why they cannot be had.
 */
export async function fetchDefinitions(project: Project, cache: string): Promise<readonly JsonObject[] | string> {
  const env = { ...process.env, GOMODCACHE: cache, GOFLAGS: "-mod=mod -modcacherw" };
  let directory: string;
  try {
    const { stdout } = await run("go", ["mod", "download", "-json", project.module], { env, timeout: 120_000 });
    directory = (JSON.parse(stdout) as { Dir: string }).Dir;
  } catch (error) {
    return `${project.module} cannot be downloaded: ${error instanceof Error ? error.message.split("\n")[0] : error}`;
  }
  return readDefinitions(join(directory, project.folder));
}

/** The definitions in the YAML files of a folder and of what is below it. */
export async function readDefinitions(folder: string): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const file of (await readdir(folder, { recursive: true })).sort()) {
    if (/\.ya?ml$/.test(file)) {
      found.push(...(await definitionsIn(await readFile(join(folder, file), "utf8"))));
    }
  }
  return found.map(withoutTemplates);
}

async function definitionsIn(text: string): Promise<readonly JsonObject[]> {
  const documents = text.split(/^---.*$/m).filter((document) => /^kind: CustomResourceDefinition$/m.test(document));
  const parsed = await Promise.all(documents.map(parseYaml));
  return parsed.map(({ value }) => value).filter(isJsonObject);
}

/** Removes what fetchDefinitions has downloaded. */
export async function removeCache(cache: string): Promise<void> {
  await rm(cache, { recursive: true, force: true });
}

/** Labels that a chart would fill in are no labels yet. */
function withoutTemplates(definition: JsonObject): JsonObject {
  const metadata = definition["metadata"] as JsonObject;
  return JSON.stringify(metadata["labels"] ?? {}).includes("{{")
    ? { ...definition, metadata: { ...metadata, labels: {} } }
    : definition;
}
