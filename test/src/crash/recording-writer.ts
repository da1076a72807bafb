import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, ApiClient } from "../spec/support/api-client.js";
import { versionOf } from "../spec/support/fixtures.js";
import { type AcknowledgedWrite, randomContent } from "./recorded-write.js";

/** State of one object as its only writer knows it. */
interface Known {
  /** Last acknowledged write; undefined when the object was never written. */
  acknowledged: AcknowledgedWrite | undefined;
  /** Writes after that whose answer never came: each may have happened or not. Undefined stands for a deletion. */
  unknown: (string | undefined)[];
}

export interface RecordingWriter {
  readonly acknowledged: readonly AcknowledgedWrite[];
  readonly known: ReadonlyMap<string, Readonly<Known>>;
  /** Resolves when it has stopped. */
  readonly done: Promise<void>;
}

const defaultNames = 6;
const pauseAfterFailureMs = 30;

/** Creates, replaces, patches and deletes its own few objects until `signal` aborts, and records what it was told. */
export function startWriter(
  client: ApiClient,
  collection: string,
  prefix: string,
  signal: AbortSignal,
  names: readonly string[] = Array.from({ length: defaultNames }, (_, index) => `${prefix}-${index}`),
): RecordingWriter {
  const acknowledged: AcknowledgedWrite[] = [];
  const known = new Map<string, Known>();

  async function write(): Promise<void> {
    const name = names[Math.floor(Math.random() * names.length)] as string;
    const state = known.get(name) ?? { acknowledged: undefined, unknown: [] };
    known.set(name, state);
    const operation = Math.random();
    const content = operation < 0.25 ? undefined : randomContent();
    const path = `${collection}/${name}`;
    let answer: Answer | undefined;
    try {
      if (content === undefined) {
        answer = await client.delete(path);
      } else if (operation < 0.5) {
        answer = await client.post(collection, { metadata: { name }, data: content });
      } else if (operation < 0.75) {
        answer = await client.put(path, { metadata: { name }, data: content });
      } else {
        answer = await client.patch(path, "application/merge-patch+json", { data: content });
      }
    } catch {
      // The server was killed.
    }
    if (answer === undefined || answer.status === 504) {
      state.unknown.push(content?.sum);
      await sleep(pauseAfterFailureMs);
      return;
    }
    if (answer.status === 404 || answer.status === 409) {
      return; // There was nothing to change, or already something: nothing happened.
    }
    if (answer.status !== 200 && answer.status !== 201) {
      throw new Error(`${path}: ${answer.status} ${answer.text}`);
    }
    // A deletion is answered with a Status, which has no version; the watchers will tell it.
    const revision = content === undefined ? 0 : Number(versionOf(answer.document));
    state.acknowledged = { name, revision, sum: content?.sum };
    state.unknown = [];
    acknowledged.push(state.acknowledged);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await write();
    }
  }
  return { acknowledged, known, done: run() };
}
