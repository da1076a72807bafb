import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import type { ApiClient } from "../spec/support/api-client.js";
import type { AuditReceiver, ReceiverMood } from "../support/audit-receiver.js";
import { type AuditedServer, startAuditedServer } from "../support/audited-server.js";
import { until } from "../support/until.js";

describe("With a spool no audit event is lost", () => {
  let audited: AuditedServer;
  let receiver: AuditReceiver;
  let server: ControlPlane;
  let client: ApiClient;
  /** IDs of requests that were answered. */
  const answered = new Set<string>();
  let count = 0;

  before(async () => {
    audited = await startAuditedServer({
      policy: { rules: [{ level: "Metadata", resources: [{ resources: ["configmaps"] }] }] },
      flags: (folder) => [
        `--audit-webhook-spool-dir=${join(folder, "spool")}`,
        "--audit-webhook-batch-max-wait=100ms",
        "--audit-webhook-batch-throttle-enable=false",
        "--audit-webhook-initial-backoff=50ms",
      ],
    });
    ({ server, client, receiver } = audited);
  });

  after(() => audited?.[Symbol.asyncDispose]());

  /** Sends requests from several connections until the signal aborts, or the server is gone. */
  async function load(signal: AbortSignal): Promise<void> {
    const one = async (): Promise<void> => {
      while (!signal.aborted) {
        const id = `load-${count++}`;
        try {
          await client.request("POST", "/api/v1/namespaces/default/configmaps", {
            headers: { "audit-id": id },
            body: { metadata: { name: id } },
          });
          answered.add(id);
        } catch {
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
  }

  async function loadFor(ms: number): Promise<void> {
    await load(AbortSignal.timeout(ms));
  }

  /** Waits until both stages of each answered request have arrived. */
  async function allDelivered(): Promise<void> {
    await until("everything is delivered", () => {
      const complete = new Set(
        receiver.events.filter(({ stage }) => stage === "ResponseComplete").map(({ auditID }) => auditID),
      );
      const received = new Set(
        receiver.events.filter(({ stage }) => stage === "RequestReceived").map(({ auditID }) => auditID),
      );
      return [...answered].every((id) => complete.has(id) && received.has(id));
    });
  }

  /** Batches continue each other, but for those that were sent again. */
  function assertNoGaps(): void {
    assert.equal(new Set(receiver.batches.map(({ source }) => source)).size, 1);
    let next = 1;
    for (const { sequence = 0, events } of receiver.batches) {
      assert.ok(sequence <= next, `${sequence} after ${next - 1}`);
      next = Math.max(next, sequence + events.length);
    }
  }

  for (const mood of ["take", "fail", "close", "slow"] satisfies ReceiverMood[]) {
    it(`while the receiver behaves like this: ${mood}`, async () => {
      receiver.mood = mood;
      await loadFor(300);
      receiver.mood = "take";
      await allDelivered();
      assertNoGaps();
    });
  }

  for (const mood of ["take", "fail", "slow"] satisfies ReceiverMood[]) {
    it(`when the server is killed under load while the receiver behaves like this: ${mood}`, async () => {
      receiver.mood = mood;
      const before = answered.size;
      const loading = load(new AbortController().signal);
      await until("there is load", () => answered.size > before + 100);
      await server.kill("SIGKILL");
      await loading;
      receiver.mood = "take";
      await server.restart();
      await allDelivered();
      assertNoGaps();
      assert.match(server.logs.text(), /recording audit events backend="spool<webhook>"/);
    });
  }

  it("and SIGTERM delivers what is left before the server ends", async () => {
    const { logs } = server;
    receiver.mood = "slow";
    await loadFor(200);
    receiver.mood = "take";
    await server.kill("SIGTERM");
    const complete = new Set(receiver.events.map(({ auditID, stage }) => `${auditID} ${stage}`));
    assert.deepEqual(
      [...answered].filter((id) => !complete.has(`${id} ResponseComplete`)),
      [],
    );
    assert.doesNotMatch(logs.text(), /audit events were not recorded/);
    assertNoGaps();
  });
});
