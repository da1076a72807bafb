import assert from "node:assert/strict";
import {
  type BackingName,
  maxFrontValueBytes,
  openFrontStore,
  recordDefinition,
} from "@gatehouse/apiserver/extension/front-store";
import type { Store } from "@gatehouse/apiserver/storage";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { StoreFixture } from "@gatehouse/testing/store-contract";
import { until } from "./until.js";

/** An API server in front, with the credentials of its administrator. */
export interface Front {
  readonly client: HttpClient;
  readonly clientConfig: ClientConfig;
}

/** An object in front that is the head of a store or has one of its keys. */
export interface StoredObject {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** A store in front that is alone in its namespace. */
export interface StoreInFront extends StoreFixture {
  readonly namespace: string;
  /** The path of the objects that hold it. */
  readonly path: string;
  readonly type: { readonly apiVersion: string; readonly kind: string };
  objects(): Promise<readonly StoredObject[]>;
}

/** The name of every store of these tests. */
export const storeName = "store";

const resources = {
  configmaps: { root: "/api/v1", resource: "configmaps", apiVersion: "v1", kind: "ConfigMap" },
  customresources: {
    root: `/apis/${storeName}.storage.gatehouse.dev/v1`,
    resource: "records",
    apiVersion: `${storeName}.storage.gatehouse.dev/v1`,
    kind: "Record",
  },
};

/** Stores with one backing. */
export class StoresInFront {
  readonly #front: Front;
  readonly #backing: BackingName;
  #count = 0;

  /** Makes what stores with a backing need of a front. */
  static async prepare(front: Front, backing: BackingName): Promise<StoresInFront> {
    const stores = new StoresInFront(front, backing);
    if (backing === "customresources") {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      await stores.ask("POST", path, recordDefinition(storeName));
      await until("Records are served", async () => {
        const signal = AbortSignal.timeout(60_000);
        // Not as JSON: before the first definition of a group there is no such path.
        const answer = await front.client.request({ path: stores.pathIn("any"), signal, timeoutMs: 60_000 });
        return answer.status === 200;
      });
    }
    return stores;
  }

  private constructor(front: Front, backing: BackingName) {
    this.#front = front;
    this.#backing = backing;
  }

  /** Returns the path of the objects that hold stores of a namespace. */
  pathIn(namespace: string): string {
    const { root, resource } = resources[this.#backing];
    return `${root}/namespaces/${namespace}/${resource}`;
  }

  /** Opens the store of a namespace, as a process that reaches the front in its own way. */
  open(namespace: string, front: ClientConfig = this.#front.clientConfig): Promise<Store> {
    return openFrontStore({ front, backing: this.#backing, namespace, name: storeName, sweepIntervalMs: 50 });
  }

  /** Makes a namespace with a store of its own. */
  async create(): Promise<StoreInFront> {
    const namespace = `${this.#backing}-${++this.#count}`;
    await this.ask("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    const path = this.pathIn(namespace);
    const { apiVersion, kind } = resources[this.#backing];
    const stores: Store[] = [];
    return {
      type: { apiVersion, kind },
      namespace,
      path,
      isInMemory: true,
      hasCostlyWrites: true,
      maxValueBytes: maxFrontValueBytes,
      open: async () => {
        const store = await this.open(namespace);
        stores.push(store);
        return store;
      },
      objects: async () => {
        const selector = encodeURIComponent(`storage.gatehouse.dev/store=${storeName}`);
        const list = await this.ask("GET", `${path}?labelSelector=${selector}`);
        return (list as { readonly items: readonly StoredObject[] }).items;
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
      },
    };
  }

  /** Sends a request as the administrator. Fails unless it succeeds. */
  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const request = { method, path, signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
    const answer = await this.#front.client.requestJson(body === undefined ? request : { ...request, body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  }
}
