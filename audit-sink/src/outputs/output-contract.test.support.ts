import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { digestOf } from "../log/digest.js";
import type { Delivered, Output, OutputBatch, OutputContext, OutputEvent } from "./output.js";

/** An output and the other side of it. */
export interface OutputFixture extends AsyncDisposable {
  /** Makes the output, as after a start of the sink. */
  open(context: OutputContext): Promise<Output>;
  /** The auditIDs at the other side, in its order. */
  received(): Promise<readonly string[]>;
  /** Makes the other side refuse everything until `mend`. */
  breakDown(): Promise<void>;
  mend(): Promise<void>;
}

/** Promises of an implementation beyond the interface. */
export interface OutputTraits {
  /** True if events that are delivered again after a crash are stored once at the other side. */
  readonly keepsOnce: boolean;
  /** True if the other side can fail at all. */
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

/** The saved state of a pipeline's output, across restarts. */
export class SavedPipeline {
  #saved: { readonly position: number; readonly state: JsonValue | undefined } = { position: 0, state: undefined };
  #position = 0;
  #output: Output | undefined;

  /** Opens an output as a start does: what was not saved is forgotten. */
  async open(make: (context: OutputContext) => Promise<Output>): Promise<void> {
    this.#output = undefined;
    this.#position = this.#saved.position;
    this.#output = await make({ pipeline: "contract", state: this.#saved.state, saveState: async () => this.save() });
  }

  /** Position of the next event. */
  get position(): number {
    return this.#position;
  }

  /** Delivers the next `count` events. */
  async deliver(count: number): Promise<Delivered | undefined> {
    const delivered = await this.#output?.deliver(batchAt(this.#position, count), patient());
    this.#position += count;
    return delivered;
  }

  save(): void {
    this.#saved = { position: this.#position, state: this.#output?.state?.() };
  }

  async close(): Promise<void> {
    await this.#output?.close();
  }
}

/** The promises of `Output`. Every implementation passes them. */
export function outputContract(name: string, traits: OutputTraits, make: () => Promise<OutputFixture>): void {
  const start = async (fixture: OutputFixture): Promise<SavedPipeline> => {
    const pipeline = new SavedPipeline();
    await pipeline.open(fixture.open);
    return pipeline;
  };

  test(`${name}: batches arrive whole and in order`, async () => {
    await using fixture = await make();
    const pipeline = await start(fixture);
    assert.deepEqual(await pipeline.deliver(3), { rejected: 0 });
    assert.deepEqual(await pipeline.deliver(200), { rejected: 0 });
    await pipeline.close();
    assert.deepEqual(await fixture.received(), ids(0, 203));
  });

  test(`${name}: goes on where it was after an orderly restart`, async () => {
    await using fixture = await make();
    const pipeline = await start(fixture);
    await pipeline.deliver(2);
    pipeline.save();
    await pipeline.close();
    await pipeline.open(fixture.open);
    await pipeline.deliver(2);
    await pipeline.close();
    assert.deepEqual(await fixture.received(), ids(0, 4));
  });

  for (const [crash, isSaved] of [
    ["a crash", true],
    ["a crash before anything was saved", false],
  ] as const) {
    test(`${name}: what comes again after ${crash} is there, ${traits.keepsOnce ? "once" : "at least once"}`, async () => {
      await using fixture = await make();
      const pipeline = await start(fixture);
      pipeline.save();
      await pipeline.deliver(2);
      if (isSaved) {
        pipeline.save();
      }
      await pipeline.deliver(3);
      await pipeline.close();
      // The last batch was not saved, and batches are cut anew.
      await pipeline.open(fixture.open);
      await pipeline.deliver(1);
      await pipeline.deliver(7 - pipeline.position);
      await pipeline.close();
      const received = await fixture.received();
      assert.deepEqual(traits.keepsOnce ? received : [...new Set(received)], ids(0, 7));
    });
  }

  if (traits.canFail) {
    test(`${name}: rejects while the other side is down, and delivers when it is back`, async () => {
      await using fixture = await make();
      const pipeline = await start(fixture);
      await pipeline.deliver(1);
      await fixture.breakDown();
      await assert.rejects(async () => pipeline.deliver(2));
      await assert.rejects(async () => pipeline.deliver(2));
      await fixture.mend();
      await pipeline.deliver(2);
      await pipeline.deliver(1);
      await pipeline.close();
      assert.deepEqual(await fixture.received(), ids(0, 4));
    });
  }
}
