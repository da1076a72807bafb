import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Cluster } from "@gatehouse/component-base/cluster";
import { readImageLayout } from "@gatehouse/component-base/images";
import { eventually } from "@gatehouse/testing/eventually";
import { runIn } from "./installed-packages.js";
import type { KubectlShell } from "./kubectl-shell.js";
import type { RunningCommand } from "./running-command.js";

// What the project of an extension API server is in a cluster. There is no kubelet: tests start what the pods would run.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const extensionScript = fileURLToPath(
  new URL("programs/extension/main.js", import.meta.resolve("@gatehouse/apiserver")),
);

/** An address of this machine that endpoints may have: loopback ones are refused. */
export const machineAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

/** The reason why nothing can be deployed here; false when it can. */
export const cannotDeploy =
  process.platform === "linux"
    ? machineAddress === undefined && "this machine has no address but loopback ones"
    : "images are built on Linux";

interface Container {
  readonly command?: readonly string[];
  readonly args: readonly string[];
}

/** The pods of a Deployment or a Job. */
export interface PodTemplate {
  readonly spec: { readonly serviceAccountName: string; readonly containers: readonly [Container] };
}

/** The members of any object of a base that tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}

/** The options of a build. */
interface BuildOptions {
  readonly flags?: readonly string[];
  /** Makes the packages of the project links to this checkout, each of which is packed again for the build. */
  readonly areLinked?: boolean;
}

/** A project `shop` with the packages of this checkout, which are packed and installed once for all that is built of it. */
export class ShopProject {
  readonly #folder: string;
  #made: Promise<string> | undefined;

  /** `folder` is one that is removed after the tests. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Builds a copy of the project in a folder. Returns the folder of the copy. */
  async build(folder: string, { flags = [], areLinked = false }: BuildOptions = {}): Promise<string> {
    this.#made ??= this.#make();
    const made = await this.#made;
    const project = join(folder, "shop");
    const installed = join(made, "node_modules");
    await cp(made, project, { recursive: true, filter: (path) => path !== installed });
    await symlink(areLinked ? join(root, "node_modules") : installed, join(project, "node_modules"));
    const build = `'${process.execPath}' '${extensionScript}' build --image=registry.example.com/shop:1 ${flags.join(" ")}`;
    assert.match(await runIn(project, build), /crane push deploy\/image registry\.example\.com\/shop:1/);
    return project;
  }

  async #make(): Promise<string> {
    await runIn(this.#folder, `'${process.execPath}' '${extensionScript}' init shop`);
    const made = join(this.#folder, "shop");
    await installVendored(made);
    return made;
  }
}

/** Installs the packages of the vendor folder of a project, and what they need from this checkout. */
async function installVendored(project: string): Promise<void> {
  const target = join(project, "node_modules");
  const source = join(root, "node_modules");
  const scope = "@gatehouse";
  await mkdir(join(target, scope), { recursive: true });
  for (const name of (await readdir(source)).filter((name) => name !== scope)) {
    await symlink(join(source, name), join(target, name));
  }
  const vendor = join(project, "vendor");
  for (const tarball of await readdir(vendor)) {
    const folder = join(target, scope, tarball.replace(/^gatehouse-|-[\d.]+\.tgz$/g, ""));
    await mkdir(folder);
    execFileSync("tar", ["-xzf", join(vendor, tarball), "--strip-components=1", "--no-same-owner", "-C", folder]);
  }
}

/** Unpacks the image of a project into a folder, and returns the command that runs its Node.js with its libraries alone. */
export async function unpackImage(project: string, name: string, target: string): Promise<string> {
  const image =
    (await readImageLayout(join(project, "deploy/image"))).get(name) ?? assert.fail("there is no image of the name");
  const [layer, ...more] = image.layers;
  assert.ok(layer !== undefined && more.length === 0);
  const tar = gunzipSync(layer);
  assert.deepEqual(image.config.rootfs.diff_ids, [`sha256:${createHash("sha256").update(tar).digest("hex")}`]);
  const { User, Entrypoint } = image.config.config;
  assert.deepEqual([User, Entrypoint], ["65532:65532", ["node", `/usr/lib/${name}/dist/main.js`]]);
  await mkdir(target);
  execFileSync("tar", ["-x", "--no-same-owner", "-C", target], { input: tar });
  const paths = execFileSync("tar", ["-t"], { input: tar, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
  assert.ok(!paths.some((path) => /node_modules\/typescript\/|@gatehouse\/(?:server|testing)\//.test(path)));
  const libraries = paths.filter((path) => !path.startsWith(`usr/lib/${name}/`) && /\.so(?:\.|$)/.test(path));
  const loader = libraries.find((path) => /\/ld-[^/]+$/.test(path)) ?? assert.fail("there is no loader");
  const folders = [...new Set(libraries.map((path) => join(target, dirname(path))))].join(":");
  return `'${join(target, loader)}' --library-path '${folders}' '${join(target, "usr/local/bin/node")}'`;
}

/** Writes a kubeconfig by which a service account of a namespace asks the server. Returns its path. */
export async function accountKubeconfig(shell: KubectlShell, account: string, namespace: string): Promise<string> {
  const token = (await shell.ok(`kubectl create token ${account} --namespace=${namespace}`)).trim();
  const file = join(shell.folder, `${account}.kubeconfig`);
  const config = JSON.parse(await shell.ok("kubectl config view --raw --minify --output=json"));
  const [{ cluster }] = config.clusters;
  const content = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "pod",
    clusters: [{ name: "pod", cluster }],
    users: [{ name: "pod", user: { token } }],
    contexts: [{ name: "pod", context: { cluster: "pod", user: "pod" } }],
  };
  await writeFile(file, JSON.stringify(content));
  return file;
}

/** Returns the port that a server says it serves on. */
export function portOf(server: RunningCommand): Promise<number> {
  return eventually(() => {
    const log = server.stdout() + server.stderr();
    return Number(/ serving .*\bport=(\d+)/.exec(log)?.[1] ?? assert.fail(`it does not serve yet: ${log}`));
  });
}

/** Makes a port of this machine that of a Service of a namespace of the same name, as the controllers of endpoints do. */
export async function publishPort(cluster: Cluster, name: string, port: number): Promise<void> {
  const address = machineAddress ?? assert.fail("this machine has no address");
  const metadata = { name, namespace: name };
  const ports = [{ name: "https", port }];
  await cluster.apply({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    endpoints: [{ addresses: [address] }],
    ports,
  });
  const subsets = [{ addresses: [{ ip: address }], ports }];
  await cluster.apply({ apiVersion: "v1", kind: "Endpoints", metadata, subsets });
}
