import { StoreUnwritableError } from "../../errors/errors.js";
import type { StoreObserver } from "../store-condition.js";
import { compareResult, compareTarget } from "./api/kv.js";
import type { EtcdClient } from "./etcd-client.js";
import { isNoSpace, storeErrorOf } from "./etcd-errors.js";

const retryMs = 5000;
const probeKey = Buffer.from("/gatehouse.dev/space");

/** Knows whether the quota of etcd's backend is used up, and finds out when it no longer is. */
export class SpaceWatch implements Disposable {
  readonly #client: EtcdClient;
  readonly #observer: StoreObserver;
  #problem: StoreUnwritableError | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: EtcdClient, observer: StoreObserver) {
    this.#client = client;
    this.#observer = observer;
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
      this.#timer = setInterval(() => void this.#probe(), retryMs);
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
      await this.#client.call(kv.Txn, request, { repetition: "read", timeoutMs: retryMs });
      this.putSucceeded();
    } catch (error) {
      // Another error tells nothing about the space; the next round asks again.
      if (isNoSpace(error)) {
        return;
      }
    }
  }
}
