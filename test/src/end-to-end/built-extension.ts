import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { openCluster } from "@gatehouse/component-base/cluster";
import { rotateCertificates } from "@gatehouse/component-base/rotation";
import { eventually } from "@gatehouse/testing/eventually";
import { parseAllDocuments } from "yaml";
import { startAggregatingServer } from "../aggregation/aggregated-server.js";
import {
  accountKubeconfig,
  cannotDeploy,
  type Manifest,
  portOf,
  publishPort,
  type ShopProject,
  unpackImage,
} from "../support/deployed-extension.js";
import { describeKubectlOn, modern } from "../support/kubectl-matrix.js";
import type { RunningCommand } from "../support/running-command.js";

// The project of an extension API server as it is deployed: its image, unpacked, runs behind an API server with the rights
// and the certificates of its kustomize base. There is no kubelet: the test starts what the pods would run.

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the fingerprint of the certificate that is served on a port. */
function servedFingerprint(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on("error", reject);
  });
}

/** Describes the project that is built of links, without flags, with its objects on a volume. Its files are made in `folder`. */
export async function describeBuiltExtension(folder: string, shop: ShopProject): Promise<void> {
  if (cannotDeploy !== false) {
    test("A built extension API server", { skip: cannotDeploy }, () => {});
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
            const project = await shop.build(folder, { areLinked: true });
            const rootFolder = join(folder, "root");
            const node = await unpackImage(project, "shop", rootFolder);

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
            const rotatorConfig = await accountKubeconfig(shell, rotating.spec.serviceAccountName, "shop");
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

            const kubeconfig = await accountKubeconfig(shell, serving.spec.serviceAccountName, "shop");
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
            const publish = (port: number): Promise<void> => publishPort(cluster, "shop", port);
            let extension = start();
            try {
              const port = await portOf(extension);
              await publish(port);
              await shell.ok(
                "kubectl wait --for=condition=Available --timeout=60s apiservice v1alpha1.shop.example.com",
              );
              assert.equal(await servedFingerprint(port), old);

              // A user with the role edit of a namespace writes there, and nowhere else.
              await shell.ok("kubectl create rolebinding alice --clusterrole=edit --user=alice");
              const meeting = (await readFile(join(project, "meeting.yaml"), "utf8")).replace(
                ", namespace: default",
                "",
              );
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
              await shell.ok(
                "kubectl wait --for=condition=Available --timeout=60s apiservice v1alpha1.shop.example.com",
              );
            } finally {
              await extension.stop();
            }
          },
        );
      },
    );
  }
}
