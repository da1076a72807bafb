import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";
import { HookServers } from "./hook-server.js";
import { allow } from "./webhook-case.js";

// `npm run soak` makes it 10,000.
const calls = Number(process.env["WEBHOOK_CALLS"] ?? 200);
const writers = 8;
const signal = new AbortController().signal;

test(`certificates that change every second fail none of ${calls} calls, and nothing leaks`, async () => {
  await using server = await startTestServer({ flags: [withoutAdmission] });
  await using hooks = await HookServers.start();
  hooks.hooks = { "/v": allow() };
  const send = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await server.client.requestJson({ method, path, body, signal, timeoutMs: 60_000 })).status;
  const url = `${hooks.url("GOOD")}/v`;
  const configuration = (caBundle: string) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "soak" },
    webhooks: [
      {
        name: "v.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url, caBundle },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      },
    ],
  });
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  assert.equal(await send("POST", path, configuration(hooks.caBundle)), 201);
  // Some calls first: what is made once is no leak.
  let next = Math.max(0, calls - 50);
  const codes = new Map<number, number>();
  const write = async (): Promise<void> => {
    while (next < calls) {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c${next}` } };
      next++;
      const code = await send("POST", "/api/v1/namespaces/default/configmaps", body);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      hooks.received.length = 0;
    }
  };
  await write();
  const before = await residentBytes(server.pid);
  next = 0;
  codes.clear();
  const running = Promise.all(Array.from({ length: writers }, write));
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await hooks.rotate("GOOD");
    await Promise.race([running, pause(1000)]);
  }
  await running;
  const made = (codes.get(201) ?? 0) + (codes.get(409) ?? 0);
  assert.equal(
    made,
    [...codes.values()].reduce((sum, count) => sum + count, 0),
    JSON.stringify([...codes]),
  );
  assert.ok(hooks.connections("GOOD") <= 2 * writers, `${hooks.connections("GOOD")} connections are open`);
  const grown = (await residentBytes(server.pid)) - before;
  assert.ok(grown < 200 * 1024 * 1024, `the server has grown by ${grown} bytes`);
});

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
