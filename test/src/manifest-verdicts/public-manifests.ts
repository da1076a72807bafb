import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** The manifests that a public tool is tested with, in its Go module. */
export interface ManifestSuite {
  readonly name: string;
  readonly module: string;
  /** Folder of the manifests in the module. */
  readonly folder: string;
  /** Folders and files with what is in force. */
  readonly inForce: readonly string[];
}

/** The test folders of tools that judge manifests without a cluster. */
export const manifestSuites: readonly ManifestSuite[] = [
  {
    name: "kubectl-validate",
    module: "sigs.k8s.io/kubectl-validate@v0.0.4",
    folder: "testcases/manifests",
    inForce: ["testcases/crds", "testcases/more-crds"],
  },
  { name: "kubeconform", module: "github.com/yannh/kubeconform@v0.8.0", folder: "fixtures", inForce: [] },
];

/** Downloads the module of a suite through the configured proxy into `cache`. Rejects when it cannot be had. */
export async function fetchSuite({ module }: ManifestSuite, cache: string): Promise<string> {
  const env = { ...process.env, GOMODCACHE: cache, GOFLAGS: "-mod=mod -modcacherw" };
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", module], { env, timeout: 120_000 });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** Returns the paths of a suite in its folder of the module. */
export function pathsOf(
  { folder, inForce }: ManifestSuite,
  directory: string,
): { manifests: string; inForce: string[] } {
  return { manifests: join(directory, folder), inForce: inForce.map((path) => join(directory, path)) };
}
