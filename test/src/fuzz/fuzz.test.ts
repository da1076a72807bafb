import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";
import { checkOutcome } from "./check-outcome.js";
import { describeRequest, type FuzzRequest } from "./fuzz-request.js";
import { generateRequest } from "./generate-request.js";
import { createHttp1Driver } from "./http1-driver.js";
import { createHttp2Driver } from "./http2-driver.js";
import { createRawDriver } from "./raw-driver.js";
import { createSentinels, readSentinels } from "./sentinels.js";
import { collectionPath, fuzzNamespaces } from "./targets.js";
import { fuzzTargets } from "./templates.js";

const seed = Number(process.env["FUZZ_SEED"] ?? 129);
/** `npm run soak` sends many more. */
const count = Number(process.env["FUZZ_REQUESTS"] ?? 4_000);
/** A single request, to look into. */
const only = process.env["FUZZ_ONLY"] === undefined ? undefined : Number(process.env["FUZZ_ONLY"]);

const inFlight = 48;
/** Maximum number of failures to show. */
const maxShownFailures = 20;

const asked = { signal: new AbortController().signal, timeoutMs: 60_000 };

let server: ControlPlane;
before(async () => {
  // Those that keep a status would write objects that no request was meant for.
  server = await startTestServer({ flags: ["--controllers=*,-disruption-controller,-resourcequota-controller"] });
  await createSentinels(server.client);
});
after(async () => {
  await server?.stop();
});

test(`${count} odd requests: never a 5xx, a hang, a crash, or an error that is no Status`, async (context) => {
  context.diagnostic(`seed ${seed}`);
  const kept = await readSentinels(server.client);
  const { pid } = server;
  const { failures, statuses } = await run();
  context.diagnostic(`answers by family and status: ${JSON.stringify(statuses)}`);
  assert.equal(failures.length, 0, `${failures.length} failed:\n\n${failures.slice(0, maxShownFailures).join("\n\n")}`);
  assert.equal(server.pid, pid, "the server was never restarted");
  assert.deepEqual(await readSentinels(server.client), kept, "objects that no request was meant for are as before");
  assert.doesNotMatch(server.logs.text(), /request threw|Unhandled|MaxListeners/);
});

test("after the odd requests the server still serves, and what is stored is sound", async () => {
  assert.equal((await server.client.request({ ...asked, path: "/readyz" })).status, 200);
  const path = "/api/v1/namespaces/fuzz-0/configmaps";
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "after" }, data: { k: "v" } };
  const created = await server.client.requestJson({ ...asked, method: "POST", path, body });
  assert.equal(created.status, 201);
  for (const target of fuzzTargets) {
    for (const namespace of target.namespaced ? fuzzNamespaces : [""]) {
      await assertSound(collectionPath(target, namespace));
    }
  }
});

async function assertSound(path: string): Promise<void> {
  const answer = await server.client.request({ ...asked, path });
  assert.equal(answer.status, 200, path);
  const { items } = JSON.parse(answer.body.toString()) as { items: { metadata: Record<string, string> }[] };
  for (const { metadata } of items) {
    const onePath = `${path}/${encodeURIComponent(String(metadata["name"]))}`;
    const one = await server.client.request({ ...asked, path: onePath });
    assert.equal(one.status, 200, onePath);
    const { metadata: alone } = JSON.parse(one.body.toString()) as { metadata: Record<string, string> };
    assert.equal(alone["uid"], metadata["uid"]);
    assert.match(String(metadata["resourceVersion"]), /^\d+$/);
    assert.match(String(metadata["creationTimestamp"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
}

interface RunResult {
  readonly failures: readonly string[];
  /** Number of answers by family of requests and status. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

async function run(): Promise<RunResult> {
  using http1 = createHttp1Driver(server.clientConfig, inFlight);
  using http2 = createHttp2Driver(server.clientConfig);
  using raw = createRawDriver(server.clientConfig);
  const drivers = { "HTTP/1.1": http1, "HTTP/2": http2, raw };
  const failures: string[] = [];
  const statuses: Record<string, Record<string, number>> = {};
  let next = 0;
  const sendOne = async (request: FuzzRequest): Promise<void> => {
    const outcome = await drivers[request.protocol].send(request);
    const answer = outcome.kind === "answer" ? outcome.status : outcome.kind;
    statuses[request.family] ??= {};
    const family = statuses[request.family] as Record<string, number>;
    family[answer] = (family[answer] ?? 0) + 1;
    const problem = await checkOutcome(request, outcome);
    if (problem !== undefined) {
      failures.push(`${problem}\n${describeRequest(request, seed)}`);
    }
  };
  const worker = async (): Promise<void> => {
    while (next < count && failures.length < maxShownFailures) {
      await sendOne(generateRequest(seed, next++));
    }
  };
  if (only === undefined) {
    await Promise.all(Array.from({ length: inFlight }, worker));
  } else {
    await sendOne(generateRequest(seed, only));
  }
  return { failures, statuses };
}
