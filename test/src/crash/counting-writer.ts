import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { sumOf } from "./recorded-write.js";

export interface CountingWriter {
  /** Increments that were acknowledged. */
  readonly acknowledged: number;
  /** Increments whose answer never came: each may have happened or not. */
  readonly unknown: number;
  readonly done: Promise<void>;
}

const pauseAfterFailureMs = 30;

/** Counts up an object that others count up too, each time from the version it has read, until `signal` aborts. */
export function startCounting(client: ApiClient, path: string, signal: AbortSignal): CountingWriter {
  let acknowledged = 0;
  let unknown = 0;

  /** Resolves to undefined when nobody answers, or the server has no answer from etcd. */
  async function read(): Promise<ApiDocument | undefined> {
    try {
      const answer = await client.get(path);
      return answer.status === 200 ? answer.document : undefined;
    } catch {
      return undefined;
    }
  }

  async function increment(): Promise<void> {
    const current = await read();
    if (current === undefined) {
      await sleep(pauseAfterFailureMs);
      return;
    }
    const value = String(countOf(current) + 1);
    try {
      const answer = await client.put(path, { ...current, data: { value, sum: sumOf(value) } });
      if (answer.status === 200) {
        acknowledged++;
      } else if (answer.status === 504) {
        unknown++;
      } else if (answer.status !== 409) {
        throw new UnexpectedAnswerError(`${path}: ${answer.status} ${answer.text}`);
      }
    } catch (error) {
      if (error instanceof UnexpectedAnswerError) {
        throw error;
      }
      unknown++;
      await sleep(pauseAfterFailureMs);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await increment();
    }
  }
  return {
    get acknowledged() {
      return acknowledged;
    },
    get unknown() {
      return unknown;
    },
    done: run(),
  };
}

export function countOf(counter: ApiDocument): number {
  return Number(counter.data?.["value"]);
}

class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
}
