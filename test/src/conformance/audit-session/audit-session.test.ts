import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../../support/start-test-server.js";
import { until } from "../../support/until.js";
import { differencesByDecision, isLostByV129 } from "./differences.js";
import { policyDocument, sessionPolicies } from "./policies.js";
import { type SessionEvents, sessionEvents } from "./recorded-events.js";
import { runSession, sessionTokens } from "./run-session.js";

const recorded = JSON.parse(
  brotliDecompressSync(
    readFileSync(new URL("../../../src/conformance/audit-session/recorded.json.br", import.meta.url)),
  ).toString(),
) as Readonly<Record<string, SessionEvents>>;

const undecodable = {
  metadata: {},
  status: "Failure",
  message: "error decoding patch: unexpected end of JSON input",
  reason: "BadRequest",
  code: 400,
};

/** Expected events of apply patches in YAML, and of empty patches. */
const keptEvents = [
  [
    { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "TAG-yaml" }, data: { x: "1" } },
    { metadata: {}, code: 200 },
  ],
  [
    { kind: "Pod", apiVersion: "v1", metadata: { name: "TAG-rare" } },
    { metadata: {}, code: 200 },
  ],
  [
    { kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 0 } },
    { metadata: {}, code: 200 },
  ],
  [undefined, undecodable],
  [
    undefined,
    {
      ...undecodable,
      message: "error decoding patch: invalid character ']' looking for beginning of object key string",
    },
  ],
  [undefined, undecodable],
  [
    { kind: "Secret", apiVersion: "v1" },
    { ...undecodable, message: "invalid object type: /v1, Kind=Secret" },
  ],
  [
    undefined,
    {
      metadata: {},
      status: "Failure",
      message: 'configmaps "default" not found',
      reason: "NotFound",
      details: { name: "default", kind: "configmaps" },
      code: 404,
    },
  ],
];

/** Flag value that leaves few controllers on: only the session writes, as when v1.29's events were recorded. */
const controllers = "system-namespaces-controller,bootstrap-system-priority-classes,bootstrap-roles";

describe("The session of requests leaves the events that v1.29 records of it", () => {
  let server: ControlPlane;
  let folder: string;
  let policyFile: string;
  let logFile: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "audit-session-"));
    policyFile = join(folder, "policy.json");
    logFile = join(folder, "audit", "audit.log");
    await writeFile(policyFile, '{"kind":"Policy","apiVersion":"audit.k8s.io/v1","rules":[{"level":"None"}]}');
    await writeFile(join(folder, "tokens.csv"), sessionTokens);
    server = await startTestServer({
      flags: [
        "--authorization-mode=RBAC",
        "--runtime-config=api/all=true",
        `--controllers=${controllers}`,
        `--token-auth-file=${join(folder, "tokens.csv")}`,
        `--audit-policy-file=${policyFile}`,
        `--audit-log-path=${logFile}`,
      ],
    });
  });

  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [index, policy] of Object.keys(sessionPolicies).entries()) {
    it(`under the policy ${policy}`, async () => {
      const tag = `session${index}x`;
      // A file that is read while it changes is read again: how often that was told before says nothing.
      const changes = (): number => server.logs.text().split("the audit policy has changed; it").length;
      const before = changes();
      await writeFile(policyFile, policyDocument(policy, tag));
      await until("the policy counts", () => changes() > before);
      await runSession(
        { port: server.port, certificateAuthorityPem: server.certificates.authority.certificatePem },
        tag,
      );
      const expected = await differencesByDecision(recorded[policy] as SessionEvents);
      let events: SessionEvents = {};
      await until("the last event is written", async () => {
        events = sessionEvents(await readFile(logFile, "utf8"), tag);
        return Object.keys(events).length >= Object.keys(expected).length;
      });
      const kept = Object.keys(events).filter((key) => expected[key] === undefined && isLostByV129(key));
      for (const key of new Set([...Object.keys(expected), ...Object.keys(events)])) {
        if (!kept.includes(key)) {
          assert.deepEqual(events[key], expected[key], `request ${key}`);
        }
      }
      if (policy === "everything") {
        assert.deepEqual(
          kept.map((key) => [events[key]?.[0]?.["requestObject"], events[key]?.[0]?.["responseStatus"]]),
          keptEvents,
        );
      }
    });
  }
});
