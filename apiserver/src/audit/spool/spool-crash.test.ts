import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { HttpRequest, HttpResponse } from "@gatehouse/component-base/http-client";
import { forEachCrash, MortalProcess } from "@gatehouse/testing/crash";
import { auditEvent, Destination, NotedLosses } from "../backend.test.support.js";
import { WebhookCaller } from "../webhook-caller.js";
import { SpoolingBackend } from "./spooling-backend.js";

const folder = await mkdtemp(join(tmpdir(), "spool-crash-"));
after(() => rm(folder, { recursive: true }));

/** Takes what comes for as long as its sender lives. */
class LifelongDestination extends Destination {
  override async request(request: HttpRequest): Promise<HttpResponse> {
    return MortalProcess.isCallerDead ? await new Promise(() => {}) : await super.request(request);
  }
}

function openSpool(directory: string, destination: Destination, losses: NotedLosses): Promise<SpoolingBackend> {
  const { signal } = new AbortController();
  return SpoolingBackend.open({
    directory,
    maxBytes: 6_000,
    isStrict: false,
    flushAfterMs: 0,
    initialBackoffMs: 1,
    maxBatchSize: 3,
    maxBatchWaitMs: 0,
    throttle: undefined,
    caller: new WebhookCaller(destination, signal),
    losses,
    report: { auditSpoolFailed() {}, auditDeliveryFailed() {}, auditDeliveryRecovered() {} },
    signal,
  });
}

/** Returns the event of each number, as the receiver has seen it. */
function numbersOf({ requests }: Destination): ReadonlyMap<number, string> {
  const numbers = new Map<number, string>();
  for (const { headers, body } of requests) {
    const first = Number(headers?.["gatehouse-audit-sequence"]);
    for (const [index, { auditID }] of (JSON.parse(String(body)).items as { auditID: string }[]).entries()) {
      const known = numbers.get(first + index);
      assert.ok(known === undefined || known === auditID, `number ${first + index} is of ${known} and of ${auditID}`);
      numbers.set(first + index, auditID);
    }
  }
  return numbers;
}

test("killed at any change of its disk, a spool loses no event that it took over, and gives no number twice", async () => {
  let life = 0;
  const lives = await forEachCrash(async (point) => {
    const directory = join(folder, String(life++));
    const destination = new LifelongDestination();
    const losses = new NotedLosses();
    const taken: string[] = [];
    let refused = 0;
    let count = 0;
    const process = async (backend: SpoolingBackend, events: number): Promise<void> => {
      for (let i = 0; i < events; i++) {
        const id = `event-${count++}`;
        if (await backend.process([auditEvent(id)])) {
          taken.push(id);
        } else {
          refused++;
        }
      }
    };
    const mortal = new MortalProcess(point);
    const outcome = await mortal.run(async () => {
      const backend = await openSpool(directory, destination, losses);
      await process(backend, 5);
      // Nobody listens until the spool is full, and refuses.
      destination.failures = Number.POSITIVE_INFINITY;
      for (let tries = 0; refused < 3; tries++) {
        assert.ok(tries < 10_000, "the spool is never full");
        await process(backend, 1);
      }
      destination.failures = 0;
      await backend.close();
    });
    await mortal[Symbol.asyncDispose]();
    destination.failures = 0;
    // Delivers what is left, and makes room.
    await (await openSpool(directory, destination, losses)).close();
    const backend = await openSpool(directory, destination, losses);
    await process(backend, 2);
    await backend.close();
    const where = JSON.stringify(point);
    const numbers = numbersOf(destination);
    const received = [...new Set(destination.taken)];
    assert.deepEqual(
      taken.filter((id) => !received.includes(id)),
      [],
      where,
    );
    // Numbers follow each other, but for those of events that were refused; one may have been when the process ended.
    const missing = Math.max(...numbers.keys()) - numbers.size;
    assert.ok(
      missing >= refused && missing <= losses.count,
      `${where}: ${missing} are missing, ${refused} were refused`,
    );
    assert.equal(
      new Set(destination.requests.map(({ headers }) => headers?.["gatehouse-audit-source"])).size,
      1,
      where,
    );
    return outcome;
  });
  assert.ok(lives > 40, String(lives));
});
