import { StoreUnwritableError } from "../../errors/errors.js";
import type { StoreObserver } from "../store-condition.js";
import { compareResult, compareTarget } from "./api/kv.js";
import type { EtcdClient } from "./etcd-client.js";
import { storeErrorOf } from "./etcd-errors.js";

const probeKey = Buffer.from("/gatehouse.dev/space");

/** Knows whether the quota of etcd's backend is used up, and finds out when it no longer is. */
export class SpaceWatch implements Disposable {
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

  /** The reason why puts fail now. */
  get problem(): StoreUnwritableError | undefined {
    return this.#problem;
  }

  /** Notes that etcd has refused a put for lack of space. */
  putRefused(error: unknown): void {
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

  /** Sends a put whose condition cannot hold: etcd looks at the quota first. */
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
      // The next round asks again: there is still no space, or etcd cannot tell now.
    }
  }
}
