import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { assertCode } from "../spec/support/assert-status.js";
import { startAuditedServer } from "../support/audited-server.js";
import { until } from "../support/until.js";
import { spreadClients, untilServing } from "./workers-of-server.js";

test("events that workers have kept are delivered once each, when the server has fewer workers than before, too", async () => {
  const flagsWith = (workers: number, folder: string): readonly string[] => [
    `--workers=${workers}`,
    `--audit-webhook-spool-dir=${join(folder, "spool")}`,
    "--audit-webhook-initial-backoff=100ms",
  ];
  await using audited = await startAuditedServer({
    policy: {
      omitStages: ["RequestReceived"],
      rules: [{ level: "Metadata", verbs: ["create"], resources: [{ group: "", resources: ["secrets"] }] }],
    },
    flags: (folder) => flagsWith(2, folder),
  });
  const { server, receiver, folder } = audited;
  receiver.mood = "fail";
  await untilServing(server, 2);
  const ids: string[] = [];
  using spread = await spreadClients(server, 4);
  for (const [index, client] of spread.clients.entries()) {
    const answer = await client.post("/api/v1/namespaces/default/secrets", { metadata: { name: `s${index}` } });
    assertCode(answer, 201);
    ids.push(String(answer.headers["audit-id"]));
  }
  const ours = () =>
    receiver.events.filter(({ requestURI }) => requestURI.startsWith("/api/v1/namespaces/default/secrets"));
  assert.deepEqual(ours(), []);
  assert.equal(await server.kill("SIGKILL"), null);
  receiver.mood = "take";
  const policy = `--audit-policy-file=${audited.policyFile}`;
  const webhook = `--audit-webhook-config-file=${join(folder, "receiver.kubeconfig")}`;
  await server.restart({ flags: ["--authorization-mode=AlwaysAllow", policy, webhook, ...flagsWith(1, folder)] });
  await until("every event has come", () => new Set(ours().map(({ auditID }) => auditID)).size === ids.length);
  assert.deepEqual(
    ours()
      .map(({ auditID }) => auditID)
      .sort(),
    ids.sort(),
  );
  const sources = new Set(receiver.batches.filter(({ events }) => events.length > 0).map(({ source }) => source));
  assert.equal(sources.size, 2, "each worker numbers its own events");
});
