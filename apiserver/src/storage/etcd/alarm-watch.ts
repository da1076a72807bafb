import { StoreUnwritableError } from "../../errors/errors.js";
import type { StoreObserver } from "../store-condition.js";
import { compareResult, compareTarget } from "./api/kv.js";
import type { EtcdClient } from "./etcd-client.js";
import { storeErrorOf } from "./etcd-errors.js";

const probeKey = Buffer.from("/gatehouse.dev/space");

/**
 * Knows whether etcd refuses writes because of an alarm, and finds out when it no longer does: NOSPACE, when the quota of
 * its backend is used up, or CORRUPT, when its members have found that their data differ.
 */
export class AlarmWatch implements Disposable {
  readonly #client: EtcdClient;
  readonly #observer: StoreObserver;
  readonly #retryMs: number;
  #problem: StoreUnwritableError | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: EtcdClient, options: { readonly observer: StoreObserver; readonly retryMs: number }) {
    this.#client = client;
    this.#observer = options.observer;
    this.#retryMs = options.retryMs;
  }

  /** The reason why writes fail now. */
  get problem(): StoreUnwritableError | undefined {
    return this.#problem;
  }

  /** Notes the failure of a write; those that no alarm has caused change nothing. */
  writeFailed(error: unknown): void {
    const problem = storeErrorOf(error);
    if (this.#problem === undefined && problem instanceof StoreUnwritableError) {
      this.#problem = problem;
      this.#observer.storeUnwritable(problem);
      this.#timer = setInterval(() => void this.#probe(), this.#retryMs);
      this.#timer.unref();
    }
  }

  /** Notes that a put has come through. */
  putSucceeded(): void {
    if (this.#problem !== undefined) {
      this.#problem = undefined;
      clearInterval(this.#timer);
      this.#observer.storeWritable();
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Sends a put whose condition cannot hold: etcd looks at its alarms first. */
  async #probe(): Promise<void> {
    const { kv } = this.#client.api;
    const request = {
      compare: [{ result: compareResult.less, target: compareTarget.version, key: probeKey, version: 0 }],
      success: [{ requestPut: { key: probeKey, value: probeKey } }],
      failure: [],
    };
    try {
      await this.#client.call(kv.Txn, request, { repetition: "read", timeoutMs: this.#retryMs });
      this.putSucceeded();
    } catch {
      // The next round asks again: the alarm is still there, or etcd cannot tell now.
    }
  }
}
