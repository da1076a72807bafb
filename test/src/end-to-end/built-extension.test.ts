import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { openCluster } from "@gatehouse/component-base/cluster";
import { readImageLayout } from "@gatehouse/component-base/images";
import { rotateCertificates } from "@gatehouse/component-base/rotation";
import { eventually } from "@gatehouse/testing/eventually";
import { parseAllDocuments } from "yaml";
import { startAggregatingServer } from "../aggregation/aggregated-server.js";
import { npmEnv } from "../support/installed-packages.js";
import { describeKubectlOn, modern } from "../support/kubectl-matrix.js";
import type { KubectlShell } from "../support/kubectl-shell.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";

// The project of an extension API server as it is deployed: its image, unpacked, runs behind an API server with the rights
// and the certificates of its kustomize base. There is no kubelet: the test starts what the pods would run.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const extensionScript = fileURLToPath(
  new URL("programs/extension/main.js", import.meta.resolve("@gatehouse/apiserver")),
);
const dayMs = 24 * 60 * 60 * 1000;

/** An address of this machine that endpoints may have: loopback ones are refused. */
const address = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

interface Container {
  readonly command?: readonly string[];
  readonly args: readonly string[];
}

interface PodTemplate {
  readonly spec: { readonly serviceAccountName: string; readonly containers: readonly [Container] };
}

/** The members of any object of the base that the test reads. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}

/** Makes a project with the packages of this checkout, and builds it. Returns its folder. */
async function builtProject(folder: string): Promise<string> {
  const run = async (command: string, where: string): Promise<string> => {
    const { code, stdout, stderr } = await startCommand(command, { folder: where, env: npmEnv }).ended;
    assert.equal(code, 0, `${stdout}${stderr}`);
    return stdout;
  };
  await run(`'${process.execPath}' '${extensionScript}' init shop`, folder);
  const project = join(folder, "shop");
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  const build = `'${process.execPath}' '${extensionScript}' build --image=registry.example.com/shop:1`;
  assert.match(await run(build, project), /crane push deploy\/image registry\.example\.com\/shop:1/);
  return project;
}

/** Unpacks the image of a layout into a folder, and returns the command that runs its Node.js with its libraries alone. */
async function unpack(layout: string, target: string): Promise<{ readonly node: string; readonly env: string[] }> {
  const image = (await readImageLayout(layout)).get("shop") ?? assert.fail("there is no image of the name");
  const [layer, ...more] = image.layers;
  assert.ok(layer !== undefined && more.length === 0);
  const tar = gunzipSync(layer);
  assert.deepEqual(image.config.rootfs.diff_ids, [`sha256:${createHash("sha256").update(tar).digest("hex")}`]);
  const { User, Entrypoint, Env } = image.config.config;
  assert.deepEqual([User, Entrypoint], ["65532:65532", ["node", "/usr/lib/shop/dist/main.js"]]);
  await mkdir(target);
  execFileSync("tar", ["-x", "--no-same-owner", "-C", target], { input: tar });
  const names = execFileSync("tar", ["-t"], { input: tar, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
  assert.ok(!names.some((name) => /node_modules\/typescript\/|@gatehouse\/(?:server|testing)\//.test(name)));
  const libraries = names.filter((name) => !name.startsWith("usr/lib/shop/") && /\.so(?:\.|$)/.test(name));
  const loader = libraries.find((name) => /\/ld-[^/]+$/.test(name)) ?? assert.fail("there is no loader");
  const folders = [...new Set(libraries.map((name) => join(target, dirname(name))))].join(":");
  return {
    node: `'${join(target, loader)}' --library-path '${folders}' '${join(target, "usr/local/bin/node")}'`,
    env: [...Env],
  };
}

/** Writes a kubeconfig by which a service account of the namespace asks the server. Returns its path. */
async function accountKubeconfig(shell: KubectlShell, account: string): Promise<string> {
  const token = (await shell.ok(`kubectl create token ${account} --namespace=shop`)).trim();
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
function portOf(server: RunningCommand): Promise<number> {
  return eventually(() => {
    const log = server.stdout() + server.stderr();
    return Number(/ serving .*\bport=(\d+)/.exec(log)?.[1] ?? assert.fail(`it does not serve yet: ${log}`));
  });
}

/** Returns the fingerprint of the certificate that is served on a port. */
function servedFingerprint(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on("error", reject);
  });
}

const folder = await mkdtemp(join(tmpdir(), "gatehouse-built-extension-"));
after(() => rm(folder, { recursive: true, force: true }));

const missing =
  process.platform === "linux"
    ? address === undefined && "this machine has no address but loopback ones"
    : "images are built on Linux";
if (missing !== false) {
  test("A built extension API server", { skip: missing }, () => {});
} else {
  await describeKubectlOn(
    "A built extension API server",
    // ClusterIPs at which nobody answers at once: requests go to the endpoints.
    () => startAggregatingServer(["--service-cluster-ip-range=127.79.0.0/24"], ["RBAC"]),
    (matrix) => {
      matrix.test(
        "serves behind an API server with the rights of its base, and while its certificate is renewed",
        modern("newest"),
        async ({ shell, server }) => {
          const project = await builtProject(folder);
          const rootFolder = join(folder, "root");
          const { node } = await unpack(join(project, "deploy/image"), rootFolder);

          // The API server takes every object as it is written, and pods pass Pod Security.
          const base = join(project, "deploy/base");
          const objects = parseAllDocuments(await shell.ok(`kubectl kustomize ${base}`)).map(
            (document) => document.toJS() as Manifest,
          );
          const applied = await shell.ok(`kubectl apply --validate=strict -k ${base}`);
          assert.equal(applied.trimEnd().split("\n").length, objects.length);
          assert.match(await shell.ok(`kubectl apply -k ${base}`), /job.* unchanged\n/, "it can be applied again");
          const named = (kind: string): Manifest =>
            objects.find((object) => object.kind === kind) ?? assert.fail(`there is no ${kind}`);
          const serving = named("Deployment").spec?.template ?? assert.fail();
          const rotating = named("CronJob").spec?.jobTemplate?.spec.template ?? assert.fail();
          assert.deepEqual(named("Job").spec?.template, rotating);
          for (const template of [serving, rotating]) {
            const pod = {
              apiVersion: "v1",
              kind: "Pod",
              metadata: { name: "pod", namespace: "shop" },
              spec: template.spec,
            };
            await shell.ok("kubectl create --dry-run=server -f -", JSON.stringify(pod));
          }

          // What the containers run, with the folders of this machine in the place of those of the pod.
          const inPod = (path: string): string => path.replaceAll("/usr/lib/shop", join(rootFolder, "usr/lib/shop"));
          const [rotator] = rotating.spec.containers;
          const rotatorConfig = await accountKubeconfig(shell, rotating.spec.serviceAccountName);
          const [program = "", script = ""] = rotator.command ?? [];
          assert.equal(program, "node");
          const rotate = (): Promise<string> =>
            shell.ok(`${node} '${inPod(script)}' ${rotator.args.join(" ")} --kubeconfig=${rotatorConfig}`);
          // The rights of the rotation are for its own objects.
          const may = async (words: string): Promise<string> =>
            (await shell.run(`kubectl auth can-i ${words} --namespace=shop --kubeconfig=${rotatorConfig}`)).stdout;
          for (const [verb, own, other] of [
            [
              "patch",
              "apiservices.apiregistration.k8s.io/v1alpha1.shop.example.com",
              "apiservices.apiregistration.k8s.io/v1.apps",
            ],
            ["get", "secrets/shop-tls", "secrets/other"],
          ]) {
            assert.match(await may(`${verb} ${own}`), /^yes\n/);
            assert.match(await may(`${verb} ${other}`), /^no\n/);
          }
          const tls = join(folder, "tls");
          await mkdir(tls);
          const mountSecret = async (): Promise<string> => {
            const { data } = JSON.parse(await shell.ok("kubectl get secret shop-tls --namespace=shop --output=json"));
            // The key comes first: a pair that does not match is not served.
            for (const key of ["tls.key", "tls.crt"]) {
              await writeFile(join(tls, key), Buffer.from(data[key], "base64"));
            }
            return new X509Certificate(Buffer.from(data["tls.crt"], "base64")).fingerprint256;
          };
          const authorities = async (): Promise<number> => {
            const path = "'jsonpath={.spec.caBundle}'";
            const bundle = await shell.ok(`kubectl get apiservice v1alpha1.shop.example.com --output=${path}`);
            return (
              Buffer.from(bundle, "base64")
                .toString()
                .match(/BEGIN CERTIFICATE/g)?.length ?? 0
            );
          };

          // The first certificate is one that was made long ago, and ends soon.
          assert.equal(await rotate(), "certificate renewed, APIServices changed\n");
          assert.equal(await rotate(), "certificate is good, APIServices are right\n");
          await shell.ok("kubectl delete secret shop-tls --namespace=shop");
          using cluster = await openCluster({
            program: "test",
            kubeconfigFile: await server.kubeconfigFile(),
            env: {},
          });
          await rotateCertificates({
            cluster,
            program: "gatehouse-extension",
            service: { namespace: "shop", name: "shop" },
            secret: "shop-tls",
            now: Date.now() - 300 * dayMs,
            async announce(caBundlePem) {
              const spec = { caBundle: Buffer.from(caBundlePem).toString("base64") };
              const metadata = { name: "v1alpha1.shop.example.com" };
              await cluster.apply({ apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata, spec });
            },
          });
          const old = await mountSecret();

          const kubeconfig = await accountKubeconfig(shell, serving.spec.serviceAccountName);
          const given = serving.spec.containers[0].args.map((argument) =>
            argument
              .replace("/etc/gatehouse/tls", tls)
              .replace("/var/lib/shop", join(folder, "data"))
              .replace("--secure-port=8443", "--secure-port=0"),
          );
          const kubeconfigs = ["authentication-kubeconfig", "authorization-kubeconfig", "kubeconfig"].map(
            (flag) => `--${flag}=${kubeconfig}`,
          );
          const main = join(rootFolder, "usr/lib/shop/dist/main.js");
          const start = (): RunningCommand =>
            shell.start(`exec ${node} '${main}' ${[...given, ...kubeconfigs].join(" ")}`);
          // As the controllers of endpoints do when a pod is ready.
          const publish = async (port: number): Promise<void> => {
            const metadata = { name: "shop", namespace: "shop" };
            const ports = [{ name: "https", port }];
            await cluster.apply({
              apiVersion: "discovery.k8s.io/v1",
              kind: "EndpointSlice",
              metadata: { ...metadata, labels: { "kubernetes.io/service-name": "shop" } },
              addressType: "IPv4",
              endpoints: [{ addresses: [address ?? ""] }],
              ports,
            });
            const subsets = [{ addresses: [{ ip: address ?? "" }], ports }];
            await cluster.apply({ apiVersion: "v1", kind: "Endpoints", metadata, subsets });
          };
          let extension = start();
          try {
            const port = await portOf(extension);
            await publish(port);
            await shell.ok("kubectl wait --for=condition=Available --timeout=60s apiservice v1alpha1.shop.example.com");
            assert.equal(await servedFingerprint(port), old);

            // A user with the role edit of a namespace writes there, and nowhere else.
            await shell.ok("kubectl create rolebinding alice --clusterrole=edit --user=alice");
            const meeting = (await readFile(join(project, "meeting.yaml"), "utf8")).replace(", namespace: default", "");
            await eventually(() => shell.ok("kubectl create --as=alice -f -", meeting));
            assert.match(await shell.ok("kubectl get meetings --as=alice"), /^NAME +TOPIC[^\n]*\nstandup +anything/);
            assert.match(await shell.fails("kubectl get meetings --as=alice --namespace=default"), /is forbidden/);
            assert.match(await shell.ok("kubectl get cities"), /tokyo/);

            // Renewed before it ends; the API server believes both until the server has the new one.
            assert.equal(await rotate(), "certificate renewed, APIServices changed\n");
            assert.equal(await authorities(), 2);
            assert.match(await shell.ok("kubectl get cities"), /tokyo/);
            const renewed = await mountSecret();
            assert.notEqual(renewed, old);
            await eventually(async () => assert.equal(await servedFingerprint(port), renewed));
            // A new process has the new certificate alone, and what the one before has stored.
            await extension.stop();
            extension = start();
            await publish(await portOf(extension));
            assert.match(await eventually(() => shell.ok("kubectl get meetings --as=alice")), /standup/);
            await shell.ok("kubectl wait --for=condition=Available --timeout=60s apiservice v1alpha1.shop.example.com");
          } finally {
            await extension.stop();
          }
        },
      );
    },
  );
}
