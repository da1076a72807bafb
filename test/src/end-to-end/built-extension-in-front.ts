import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type BackingName, backingNames } from "@gatehouse/apiserver/extension/front-store";
import { openCluster } from "@gatehouse/component-base/cluster";
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

// A project that is built with its objects in the API server in front, under other names than that of its program: its server runs with
// the rights of its base alone, without a volume.

/** The resource in front for each backing, as rules name it, and the table of its objects. */
const resources: Readonly<Record<BackingName, { readonly name: string; readonly table: RegExp }>> = {
  configmaps: { name: "configmaps", table: /^NAME[^\n]*\nshop +2 [^\n]*\nshop-[0-9a-f]{40} +3 [^\n]*\n$/ },
  customresources: {
    name: "records.shop.storage.gatehouse.dev",
    table: /^NAME +KEY +REVISION +AGE\nshop +[^\n]*\nshop-[0-9a-f]{40} +\S+\/meetings\/default\/standup +\d+ [^\n]*\n$/,
  },
};

/** Describes the project that is built with its objects in the API server in front. Its files are made in `parent`. */
export async function describeBuiltExtensionInFront(parent: string, shop: ShopProject): Promise<void> {
  for (const backing of backingNames) {
    const what = `A built extension API server with objects in ${backing}`;
    if (cannotDeploy !== false) {
      test(what, { skip: cannotDeploy }, () => {});
      continue;
    }
    const resource = resources[backing];
    const folder = join(parent, backing);
    await mkdir(folder);
    await describeKubectlOn(
      what,
      // ClusterIPs at which nobody answers at once: requests go to the endpoints.
      () => startAggregatingServer(["--service-cluster-ip-range=127.79.0.0/24"], ["RBAC"]),
      (matrix) => {
        matrix.test(
          "keeps what it has acknowledged when its only pod is killed, and shares it among its pods",
          modern("newest"),
          async ({ shell, server }) => {
            const flags = [`--storage-backend=${backing}`, "--replicas=3", "--name=stall"];
            const project = await shop.build(folder, { flags });
            const rootFolder = join(folder, "root");
            const node = await unpackImage(project, "stall", rootFolder);
            const base = join(project, "deploy/base");
            const objects = parseAllDocuments(await shell.ok(`kubectl kustomize ${base}`)).map(
              (document) => document.toJS() as Manifest,
            );
            await shell.ok(`kubectl apply --validate=strict -k ${base}`);
            const templateOf = (kind: string) => {
              const spec = objects.find((object) => object.kind === kind)?.spec ?? assert.fail(`there is no ${kind}`);
              return spec.template ?? spec.jobTemplate?.spec.template ?? assert.fail();
            };
            assert.ok(!objects.some(({ kind }) => kind === "PersistentVolumeClaim"));

            // The certificate is one of the first rotation, with the account of the rotation.
            const inPod = (path: string): string =>
              path.replaceAll("/usr/lib/stall", join(rootFolder, "usr/lib/stall"));
            const rotating = templateOf("CronJob");
            const [rotator] = rotating.spec.containers;
            const rotatorConfig = await accountKubeconfig(shell, rotating.spec.serviceAccountName, "stall");
            const script = inPod(rotator.command?.[1] ?? "");
            await shell.ok(`${node} '${script}' ${rotator.args.join(" ")} --kubeconfig=${rotatorConfig}`);
            const { data } = JSON.parse(await shell.ok("kubectl get secret stall-tls --namespace=stall --output=json"));
            const tls = join(folder, "tls");
            await mkdir(tls);
            for (const key of ["tls.key", "tls.crt"]) {
              await writeFile(join(tls, key), Buffer.from(data[key], "base64"));
            }

            const serving = templateOf("Deployment");
            const kubeconfig = await accountKubeconfig(shell, serving.spec.serviceAccountName, "stall");
            const may = async (words: string): Promise<string> =>
              (await shell.run(`kubectl auth can-i ${words} --kubeconfig=${kubeconfig}`)).stdout.trim();
            const { name: records } = resource;
            assert.equal(await may(`watch ${records}/shop --namespace=stall`), "yes");
            assert.equal(await may(`watch ${records} --namespace=stall`), "no");
            assert.equal(await may(`get ${records} --namespace=default`), "no");
            assert.equal(await may("create customresourcedefinitions"), "no");
            for (const other of Object.values(resources).filter(({ name }) => name !== records)) {
              assert.equal(await may(`get ${other.name} --namespace=stall`), "no");
            }
            assert.equal(await may("get secrets --namespace=stall"), "no");

            const work = join(folder, "work");
            await mkdir(work);
            const given = serving.spec.containers[0].args.map((argument) =>
              argument.replace("/etc/gatehouse/tls", tls).replace("--secure-port=8443", "--secure-port=0"),
            );
            const kubeconfigs = ["authentication-kubeconfig", "authorization-kubeconfig", "kubeconfig"].map(
              (flag) => `--${flag}=${kubeconfig}`,
            );
            const main = inPod("/usr/lib/stall/dist/main.js");
            const start = (): RunningCommand =>
              shell.start(`cd '${work}' && exec ${node} '${main}' ${[...given, ...kubeconfigs].join(" ")}`);
            using cluster = await openCluster({
              program: "test",
              kubeconfigFile: await server.kubeconfigFile(),
              env: {},
            });

            const path = "/apis/shop.example.com/v1alpha1/namespaces/default/meetings";
            const ask = async (method: string, body?: object): Promise<{ status: number; body: unknown }> =>
              await server.client.requestJson({
                method,
                path,
                ...(body && { body }),
                signal: AbortSignal.timeout(60_000),
                timeoutMs: 60_000,
              });
            const meetings = async (): Promise<readonly string[]> => {
              const { status, body } = await ask("GET");
              assert.equal(status, 200, JSON.stringify(body));
              const { items } = body as { readonly items: readonly Manifest[] };
              return items.map(({ metadata }) => metadata.name);
            };
            const first = start();
            await publishPort(cluster, "stall", await portOf(first));
            const wait = "kubectl wait --for=condition=Available --timeout=60s apiservice v1alpha1.shop.example.com";
            await shell.ok(wait);
            await eventually(meetings);

            await shell.ok(`kubectl create -f ${join(project, "meeting.yaml")}`);
            const own = `kubectl get ${records} --namespace=stall --selector=storage.gatehouse.dev/store=shop`;
            await eventually(async () => assert.match(await shell.ok(own), resource.table));

            // Killed while writes are under way: those that have been answered stay.
            const acknowledged = ["standup"];
            const writing = Array.from({ length: 200 }, async (_, index) => {
              const name = `meeting-${index}`;
              const spec = { start: "2030-01-31T09:00:00Z", end: "2030-01-31T09:05:00Z" };
              const answer = await ask("POST", {
                apiVersion: "shop.example.com/v1alpha1",
                kind: "Meeting",
                metadata: { name },
                spec,
              }).catch(() => undefined);
              if (answer?.status === 201) {
                acknowledged.push(name);
                if (acknowledged.length === 20) {
                  await first.stop("SIGKILL");
                }
              }
            });
            await Promise.all(writing);
            assert.ok(acknowledged.length >= 20, `${acknowledged.length} writes have been acknowledged`);

            const [second, third] = [start(), start()];
            for (const pod of [second, third]) {
              await publishPort(cluster, "stall", await portOf(pod));
              await shell.ok(wait);
              const found = new Set(await eventually(meetings));
              assert.deepEqual(
                acknowledged.filter((name) => !found.has(name)),
                [],
              );
            }
            await shell.ok("kubectl delete meetings --all --namespace=default");
            await publishPort(cluster, "stall", await portOf(second));
            await eventually(async () => assert.deepEqual(await meetings(), []));
            assert.deepEqual(await readdir(work), [], "nothing is written to the disk");
            await Promise.all([second.stop(), third.stop()]);
          },
        );
      },
    );
  }
}
