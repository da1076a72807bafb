import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { type LibraryPolicy, readLibrary } from "../policy-library/library-files.js";
import { ObjectClient } from "../policy-library/object-client.js";
import { runCases, withCondition } from "../policy-library/run-library-policy.js";
import { policyScript } from "../support/hook-server.js";
import { type CommandResult, startCommand } from "../support/running-command.js";
import { startTestServer } from "../support/start-test-server.js";

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

let server: ControlPlane;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-policy-replay-"));
  await writeFile(join(folder, "audit-policy.json"), JSON.stringify(auditPolicy));
  server = await startTestServer({
    flags: [
      `--audit-policy-file=${join(folder, "audit-policy.json")}`,
      `--audit-log-path=${join(folder, "audit.log")}`,
      "--controllers=system-namespaces-controller",
      "--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection",
      "--feature-gates=ValidatingAdmissionPolicy=true,ProcMountType=true",
      "--allow-privileged=true",
      "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
    ],
  });
});

after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the cases of a policy on the server, and returns the events of these requests as lines. */
async function record(entry: LibraryPolicy): Promise<string> {
  using http = createHttpClient({ config: server.clientConfig });
  const log = join(folder, "audit.log");
  const before = (await readFile(log, "utf8").catch(() => "")).length;
  await runCases({ client: new ObjectClient(http), patienceMs: 0 }, entry);
  return (await readFile(log, "utf8")).slice(before);
}

async function replay(events: string, documents: readonly JsonObject[], name = "audit.log"): Promise<CommandResult> {
  const work = await mkdtemp(join(folder, "replay-"));
  await mkdir(join(work, "policies"));
  await writeFile(
    join(work, "policies", "policies.json"),
    documents.map((each) => JSON.stringify(each)).join("\n---\n"),
  );
  await writeFile(join(work, name), name.endsWith(".gz") ? gzipSync(events) : events);
  return await startCommand(`${process.execPath} ${policyScript} replay --audit ${name} --policy policies`, {
    folder: work,
  }).ended;
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
