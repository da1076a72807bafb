import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type ControlPlaneCertificates, createCertificates } from "@gatehouse/testing/certificates";
import { SinkProcess } from "../audit-sink/sink-process.js";
import { SinkReader } from "../audit-sink/sink-reader.js";
import { type LibraryPolicy, readLibrary } from "../policy-library/library-files.js";
import { ObjectClient } from "../policy-library/object-client.js";
import { runCases, withCondition } from "../policy-library/run-library-policy.js";
import { policyScript } from "../support/hook-server.js";
import { type PolicyServer, startPolicyServer } from "../support/policy-server.js";
import { type CommandResult, startCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

// The command `gatehouse-policy replay` on events that our server has written while policies were in effect.

const hasParams = ({ binding }: LibraryPolicy): boolean => (binding["spec"] as JsonObject)["paramRef"] !== undefined;

/** Policies that need old objects, and labels of namespaces. */
const special = ["storage/immutable-config-maps.yaml", "life-cycle/protected-objects.yaml"];

/** One policy of each category, and the special ones. Those with parameters are left out: their cases change them. */
const policies = (await readLibrary())
  .filter((policy) => !hasParams(policy))
  .filter(({ file }, index, all) => special.includes(file) || dirname(file) !== dirname(all[index - 1]?.file ?? ""));

const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "None", verbs: ["get", "list", "watch"] }, { level: "RequestResponse" }],
};

let policyServer: PolicyServer;
let folder: string;
let pki: ControlPlaneCertificates;
let sink: SinkProcess;
let sinkFolder: string;

before(async () => {
  sinkFolder = await mkdtemp(join(tmpdir(), "gatehouse-replayed-sink-"));
  pki = await createCertificates(sinkFolder);
  sink = new SinkProcess({
    name: "sink",
    folder: sinkFolder,
    pki,
    pipelines: [],
    rest: { index: { directory: join(sinkFolder, "index") } },
  });
  await sink.start();
  policyServer = await startPolicyServer(auditPolicy, [
    `--audit-webhook-config-file=${await sink.kubeconfig()}`,
    "--audit-webhook-batch-max-wait=100ms",
    "--audit-webhook-batch-throttle-enable=false",
  ]);
  folder = policyServer.folder;
});

after(async () => {
  await policyServer?.[Symbol.asyncDispose]();
  await sink?.[Symbol.asyncDispose]();
  await rm(sinkFolder, { recursive: true, force: true });
});

/** Runs the cases of a policy on the server, and returns the events of these requests as lines. */
async function record(entry: LibraryPolicy): Promise<string> {
  using http = createHttpClient({ config: policyServer.server.clientConfig });
  const log = policyServer.auditLog;
  const before = (await readFile(log, "utf8").catch(() => "")).length;
  await runCases({ client: new ObjectClient(http), patienceMs: 0 }, entry);
  return (await readFile(log, "utf8")).slice(before);
}

/** Runs `gatehouse-policy replay` in a folder with policies. `audit`: the flags that name the events. */
async function replayFrom(work: string, documents: readonly JsonObject[], ...audit: readonly string[]) {
  await mkdir(join(work, "policies"));
  await writeFile(
    join(work, "policies", "policies.json"),
    documents.map((each) => JSON.stringify(each)).join("\n---\n"),
  );
  const words = [process.execPath, policyScript, "replay", "--policy", "policies", ...audit];
  return await startCommand(`exec ${words.map((word) => `'${word}'`).join(" ")}`, { folder: work }).ended;
}

async function replay(events: string, documents: readonly JsonObject[], name = "audit.log"): Promise<CommandResult> {
  const work = await mkdtemp(join(folder, "replay-"));
  await writeFile(join(work, name), name.endsWith(".gz") ? gzipSync(events) : events);
  return await replayFrom(work, documents, "--audit", name);
}

describe("an unchanged policy gives the recorded verdict for every request", () => {
  for (const entry of policies) {
    test(`${entry.file}`, async () => {
      const events = await record(entry);
      const { code, stdout, stderr } = await replay(events, [withCondition(entry.policy), entry.binding]);
      assert.equal(stderr, "");
      assert.match(stdout, /\nno verdict would change\n$/);
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /: 0 judged/);
      const unjudged = stdout.split("\n").filter((line) => line.includes("not judged:"));
      // Objects are removed that are not there.
      assert.ok(
        unjudged.every((line) => /refused with 40[49] by something else/.test(line)),
        stdout,
      );
    });
  }
});

test("a sink that the server has sent its events to gives the verdicts that its log gives", async () => {
  const entry = policies.find(({ file }) => file === special[0]);
  assert.ok(entry);
  const documents = [withCondition(entry.policy), entry.binding];
  const recorded = (await record(entry)).trimEnd().split("\n").length;
  const log = await readFile(policyServer.auditLog, "utf8");
  const total = log.trimEnd().split("\n").length;
  using reader = await SinkReader.open(pki, sink.port);
  await until("the sink has indexed all events", async () => (await reader.indexed()).events === total);

  const expected = await replay(log, documents);
  // Other policies were in effect for most of the log.
  assert.match(expected.stdout, /^\d+ events: \d\d judged, .*\d+ of \d+ verdicts would change\n$/s);
  const work = await mkdtemp(join(folder, "replay-"));
  const { certificatePem, keyPem } = await pki.clientCertificate("sender", []);
  await writeFile(join(work, "client.crt"), certificatePem);
  await writeFile(join(work, "client.key"), keyPem, { mode: 0o600 });
  const address = `https://127.0.0.1:${sink.port}`;
  const access = [
    `--certificate-authority=${pki.caFile}`,
    `--client-certificate=${join(work, "client.crt")}`,
    `--client-key=${join(work, "client.key")}`,
  ];
  const asked = await replayFrom(work, documents, `--audit=${address}`, ...access);
  assert.deepEqual(asked, expected);
  assert.ok(recorded > 2 && total > recorded, `${recorded} of ${total} events`);

  const stranger = await mkdtemp(join(folder, "replay-"));
  const refused = await replayFrom(stranger, documents, `--audit=${address}`, access[0] as string);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^gatehouse-policy: the sink answers 401: Unauthorized/);
});
