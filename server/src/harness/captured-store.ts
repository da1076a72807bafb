import { type ApiServerOptions, resolveGiven, type StoreParts } from "@gatehouse/apiserver/server";
import type { Store } from "@gatehouse/apiserver/storage";
import { type MemoryData, MemoryStore, readImage, type StoreImage } from "@gatehouse/apiserver/storage/memory";
import type { ServerConfig } from "../options/server-config.js";

/**
 * The store that a server opens, kept for those who clone it: as it lies below encryption. Reads throw TypeError when the
 * server does not run, or has several stores.
 */
export class CapturedStore {
  readonly #config: ServerConfig;
  readonly #data: MemoryData | undefined;
  readonly #now: () => number;
  #opened: Store | undefined;
  #image: StoreImage | undefined;

  /** `data` takes the place of the data that the configuration names; its keys expire by the clock `now`. */
  constructor(config: ServerConfig, data?: MemoryData, now: () => number = Date.now) {
    this.#config = config;
    this.#data = data;
    this.#now = now;
  }

  /** Deletes keys whose time is over, unless the store is an etcd, which has a clock of its own. */
  expireNow(): void {
    this.#opened?.expireNow?.();
  }

  /** Opens the store, for the server that closes it; the configured one, unless there is data. */
  readonly open = async (parts: StoreParts, configured: ApiServerOptions["store"]): Promise<Store> => {
    this.#opened =
      this.#data === undefined
        ? await resolveGiven(configured, parts)
        : new MemoryStore(this.#data, { now: this.#now });
    return this.store;
  };

  get store(): Store {
    if ((this.#config.etcd?.overrides.length ?? 0) > 0) {
      throw new TypeError("--etcd-servers-overrides: the data of several stores cannot be cloned");
    }
    if (this.#opened === undefined) {
      throw new TypeError("the server does not run");
    }
    return this.#opened;
  }

  /** Returns everything that the server stores, as it is now. What has not changed since the last call is not read again. */
  async image(): Promise<StoreImage> {
    this.#image = this.#data?.image() ?? (await readImage(this.store, this.#config.keyPrefix, this.#image));
    return this.#image;
  }
}
