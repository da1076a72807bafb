import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@gatehouse/envelopes";
import { digestOf } from "../log/digest.js";
import type { Output, OutputBatch, OutputContext, OutputEvent } from "./output.js";

/** An output and the other side of it. */
export interface OutputFixture extends AsyncDisposable {
  /** Makes the output, as after a start of the sink. */
  open(context: OutputContext): Promise<Output>;
  /** The auditIDs at the other side, in its order. */
  received(): Promise<readonly string[]>;
  /** From now on the other side takes nothing, until `mend`. */
  breakDown(): Promise<void>;
  mend(): Promise<void>;
}

/** What an implementation promises beyond the interface. */
export interface OutputTraits {
  /** What comes again after a crash stands at the other side once. */
  readonly keepsOnce: boolean;
  /** Whether the other side can fail at all. */
  readonly canFail: boolean;
}

/** An event with an auditID, as the pipeline hands it out. */
export function outputEvent(position: number, rest: object = {}): OutputEvent {
  const bytes = Buffer.from(
    JSON.stringify({ level: "Metadata", auditID: `id-${position}`, stage: "ResponseComplete", verb: "get", ...rest }),
  );
  return { position, sender: "cluster a", receivedTimestamp: 1_700_000_000_000, bytes, digest: digestOf(bytes) };
}

export function outputBatch(events: readonly OutputEvent[]): OutputBatch {
  return { events, bytes: events.reduce((sum, { bytes }) => sum + bytes.length, 0) };
}

const batchAt = (first: number, count: number): OutputBatch =>
  outputBatch(Array.from({ length: count }, (_, i) => outputEvent(first + i)));
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => `id-${from + i}`);
const patient = (): AbortSignal => AbortSignal.timeout(10_000);

/** The promises of `Output`. Every implementation passes them. */
export function outputContract(name: string, traits: OutputTraits, make: () => Promise<OutputFixture>): void {
  /** A context whose state is saved when the test says so, as a pipeline does. */
  const contextWith = (state: JsonValue | undefined): OutputContext => ({
    pipeline: "contract",
    state,
    saveState: async () => undefined,
  });

  test(`${name}: batches arrive whole and in order`, async () => {
    await using fixture = await make();
    const output = await fixture.open(contextWith(undefined));
    assert.deepEqual(await output.deliver(batchAt(0, 3), patient()), { rejected: 0 });
    assert.deepEqual(await output.deliver(batchAt(3, 200), patient()), { rejected: 0 });
    await output.close();
    assert.deepEqual(await fixture.received(), ids(0, 203));
  });

  test(`${name}: goes on where it was after an orderly restart`, async () => {
    await using fixture = await make();
    const first = await fixture.open(contextWith(undefined));
    await first.deliver(batchAt(0, 2), patient());
    const state = first.state?.();
    await first.close();
    const second = await fixture.open(contextWith(state));
    await second.deliver(batchAt(2, 2), patient());
    await second.close();
    assert.deepEqual(await fixture.received(), ids(0, 4));
  });

  test(`${name}: what comes again after a crash is there, ${traits.keepsOnce ? "once" : "at least once"}`, async () => {
    await using fixture = await make();
    const first = await fixture.open(contextWith(undefined));
    await first.deliver(batchAt(0, 2), patient());
    const state = first.state?.();
    await first.deliver(batchAt(2, 3), patient());
    await first.close();
    // The state of the last batch was not saved, and batches are cut anew.
    const second = await fixture.open(contextWith(state));
    await second.deliver(batchAt(2, 1), patient());
    await second.deliver(batchAt(3, 4), patient());
    await second.close();
    const received = await fixture.received();
    assert.deepEqual(traits.keepsOnce ? received : [...new Set(received)], ids(0, 7));
  });

  if (traits.canFail) {
    test(`${name}: rejects while the other side is down, and delivers when it is back`, async () => {
      await using fixture = await make();
      const output = await fixture.open(contextWith(undefined));
      await output.deliver(batchAt(0, 1), patient());
      await fixture.breakDown();
      await assert.rejects(async () => output.deliver(batchAt(1, 2), patient()));
      await assert.rejects(async () => output.deliver(batchAt(1, 2), patient()));
      await fixture.mend();
      await output.deliver(batchAt(1, 2), patient());
      await output.deliver(batchAt(3, 1), patient());
      await output.close();
      assert.deepEqual(await fixture.received(), ids(0, 4));
    });
  }
}
