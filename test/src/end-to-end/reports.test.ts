import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ControlPlane } from "@gatehouse/testing";
import { post, startAggregatingServer } from "../aggregation/aggregated-server.js";
import { startExtensionProcess } from "../aggregation/extension-process.js";
import { freePort } from "../support/free-port.js";
import { createHookPki } from "../support/hook-server.js";
import type { RunningCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

// The example reports as a process behind a Gatehouse that asks its hook about pods.

const script = fileURLToPath(new URL("../../../examples/reports/dist/main.js", import.meta.url));
const group = "wgpolicyk8s.io";
const pods = "/api/v1/namespaces/shop/pods";
const folder = mkdtempSync(join(tmpdir(), "reports-"));
const requestTimeoutMs = 60_000;
let front: ControlPlane;
let reports: RunningCommand;

before(async () => {
  const pki = await createHookPki(folder);
  for (const [from, to] of [
    ["server.crt", "tls.crt"],
    ["server.key", "tls.key"],
  ] as const) {
    await cp(join(folder, "hooks", from), join(folder, "hooks", to));
  }
  front = await startAggregatingServer([
    "--authorization-mode=RBAC",
    "--disable-admission-plugins=ServiceAccount",
    `--admission-control-config-file=${pki.admissionConfigFile}`,
  ]);
  await post(front, "/api/v1/namespaces", { metadata: { name: "shop" } });
  await post(front, pods, pod("before", "web:1.2"));
  const port = await freePort();
  const env = { HOOK_CERTIFICATES: join(folder, "hooks"), HOOK_PORT: String(port) };
  reports = await startExtensionProcess(front, { script, group, versions: ["v1alpha2"], folder, env });
  await post(front, "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "reports" },
    webhooks: [
      {
        name: "pods.reports.example.com",
        clientConfig: {
          url: `https://127.0.0.1:${port}/validating/pods.reports.example.com`,
          caBundle: Buffer.from(pki.authority.certificatePem).toString("base64"),
        },
        rules: [{ operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
        failurePolicy: "Fail",
        sideEffects: "NoneOnDryRun",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
});
after(async () => {
  await reports?.stop();
  await front?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const limits = { limits: { cpu: "1", memory: "1Gi" } };

function pod(name: string, image: string, resources: object = {}, labels: object = {}): object {
  return { metadata: { name, labels }, spec: { containers: [{ name: "c", image, resources }] } };
}

interface Report {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly scope: { readonly kind: string; readonly uid: string };
  readonly summary: { readonly pass: number; readonly fail: number };
  readonly results: readonly {
    readonly policy: string;
    readonly result: string;
    readonly source: string;
    readonly message?: string;
  }[];
}

async function send(path: string, method = "GET", body?: object) {
  const request = { method, path, signal: AbortSignal.timeout(requestTimeoutMs), timeoutMs: requestTimeoutMs };
  return await front.client.requestJson(body === undefined ? request : { ...request, body });
}

const base = `/apis/${group}/v1alpha2/namespaces/shop/policyreports`;

async function reportOf(name: string): Promise<Report | undefined> {
  const { status, body } = await send(`${base}/${name}`);
  return status === 200 ? (body as Report) : undefined;
}

test("pods that were there before are reported by a scan", async () => {
  const report = await until("the pod is reported", () => reportOf("before"));
  assert.deepEqual(report.summary, { pass: 1, fail: 2 });
  assert.deepEqual(
    report.results.map(({ policy, result, source, message }) => [policy, result, source, message]),
    [
      ["no-latest-tag", "pass", "scan", undefined],
      ["required-labels", "fail", "scan", "metadata.labels[team]: is required"],
      [
        "resource-limits",
        "fail",
        "scan",
        "spec.containers[0].resources.limits.cpu: is required; spec.containers[0].resources.limits.memory: is required",
      ],
    ],
  );
});

test("a pod is reported when it is admitted, and its report goes with it", async () => {
  const { status } = await send(pods, "POST", pod("web", "web:latest", limits, { team: "shop" }));
  assert.equal(status, 201);
  const report = await reportOf("web");
  assert.deepEqual(report?.summary, { pass: 2, fail: 1 }, "reported before the request was answered");
  const scanned = await until("the pod is scanned", async () => {
    const found = await reportOf("web");
    return found?.results.every(({ source }) => source === "scan") ? found : undefined;
  });
  assert.equal(scanned.metadata.uid, report?.metadata.uid);
  const { body } = await send(`${pods}/web`);
  assert.equal(scanned.scope.uid, (body as { metadata: { uid: string } }).metadata.uid);
  await send(`${pods}/web?gracePeriodSeconds=0`, "DELETE");
  await until("the report is gone", async () => (await reportOf("web")) === undefined);
});

test("a dry run leaves no report", async () => {
  const { status } = await send(`${pods}?dryRun=All`, "POST", pod("tried", "web"));
  assert.equal(status, 201);
  assert.equal(await reportOf("tried"), undefined);
});

test("reports are found by their verdict, and cannot be written", async () => {
  await post(front, pods, pod("good", "web:1.2", limits, { team: "shop" }));
  const { body } = await send(`${base}?labelSelector=reports.example.com/verdict%3Dpass`);
  assert.deepEqual(
    (body as { items: readonly Report[] }).items.map(({ metadata }) => metadata.name),
    ["good"],
  );
  assert.equal((await send(`${base}/good`, "DELETE")).status, 405);
});
