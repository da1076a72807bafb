import { HttpClientError } from "@gatehouse/component-base/errors";
import { pause } from "@gatehouse/component-base/time";
import { integerAt, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { ObjectName } from "../admission/object-access.js";
import type { ObjectFollower } from "../authorization/object-source.js";
import type { FrontClient, FrontEvent } from "./front-client.js";

/** The collection to follow, and how. */
export interface FollowedObjectsOptions {
  readonly client: FrontClient;
  /** Resolves to the path of the collection. Rejects while the resource is not served. */
  readonly path: () => Promise<string>;
  /** A query that selects objects (`fieldSelector=...`); empty for all. */
  readonly selector?: string;
  /** Called with each failure; the objects that are known stay, and the server is asked again. */
  readonly onTrouble: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** The delay in milliseconds between watches; it doubles with every one that ends soon. */
const firstDelayMs = 200;
const longestDelayMs = 10_000;

/**
 * The objects of a collection of the API server in front, kept in memory: listed once, then watched, and listed again when
 * the server no longer knows the version to watch from. What is known stays while the server cannot be reached.
 */
export class FollowedObjects {
  readonly #options: FollowedObjectsOptions;
  readonly #ready: Promise<void>;
  #becomeReady: () => void = () => {};
  readonly #followers = new Set<ObjectFollower>();
  #objects = new Map<string, JsonObject>();
  #sorted: readonly JsonObject[] | undefined;
  #isReady = false;
  /** The resource version that everything is known up to. */
  #watchedTo: string | undefined;

  /** Begins to follow the collection. */
  constructor(options: FollowedObjectsOptions) {
    this.#options = options;
    this.#ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    void this.#follow();
  }

  /** True when all objects have arrived once. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when all objects have arrived once; never where the resource is not served. */
  ready(): Promise<void> {
    return this.#ready;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  /** Returns all objects by namespace and name: the same list until one of them changes. */
  list(): readonly JsonObject[] {
    this.#sorted ??= [...this.#objects.keys()].sort().map((key) => this.#objects.get(key) as JsonObject);
    return this.#sorted;
  }

  /** Tells a follower of all objects, and of every change from then on. */
  tell(follower: ObjectFollower): void {
    this.#followers.add(follower);
    for (const object of this.list()) {
      present(follower, object);
    }
  }

  /** Reads one object anew; what is known already may be newer. */
  async catchUp({ namespace, name }: ObjectName, signal: AbortSignal): Promise<void> {
    const collection = await this.#options.path();
    const path = namespace === "" ? collection : inNamespace(collection, namespace);
    try {
      const object = await this.#options.client.get(`${path}/${encodeURIComponent(name)}`, signal);
      if (!this.#hasSeenGone(object)) {
        this.#take(object);
      }
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) {
        throw error;
      }
    }
  }

  async #follow(): Promise<void> {
    const { signal, onTrouble } = this.#options;
    let delayMs = firstDelayMs;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        this.#watchedTo ??= await this.#list();
        await this.#watch(this.#watchedTo);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (isExpired(error)) {
          this.#watchedTo = undefined;
        } else {
          onTrouble(error);
        }
      }
      // A server that ends every watch at once is not to be asked without a pause either.
      delayMs = performance.now() - startedAt > longestDelayMs ? firstDelayMs : delayMs;
      await pause(delayMs * (1 + Math.random() * 0.2), signal);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }

  async #list(): Promise<string> {
    const { client, path, selector = "", signal } = this.#options;
    const listed = new Map<string, JsonObject>();
    const version = await client.list(
      await path(),
      selector,
      (object) => listed.set(keyOfObject(object), object),
      signal,
    );
    const before = this.#objects;
    this.#objects = listed;
    this.#sorted = undefined;
    for (const [key, object] of before) {
      if (!listed.has(key)) {
        this.#tellGone(object);
      }
    }
    for (const object of listed.values()) {
      this.#tellPresent(object);
    }
    this.#isReady = true;
    this.#becomeReady();
    return version;
  }

  async #watch(from: string): Promise<void> {
    const { client, path, selector = "", signal } = this.#options;
    await client.watch(await path(), selector, from, (event) => this.#apply(event), signal);
  }

  #apply({ type, object }: FrontEvent): void {
    if (type === "ERROR") {
      throw new StatusError(Number(integerAt(object, "code")), textAt(object, "reason"), textAt(object, "message"));
    }
    const version = textAt(object, "metadata", "resourceVersion");
    if (type === "DELETED") {
      this.#objects.delete(keyOfObject(object));
      this.#sorted = undefined;
      this.#tellGone(object);
    } else if (type !== "BOOKMARK") {
      this.#take(object);
    }
    this.#watchedTo = version;
  }

  /** Reports whether the watch, while the object was on its way, has come past its version and does not know it any more. */
  #hasSeenGone(object: JsonObject): boolean {
    const isKnown = this.#objects.has(keyOfObject(object));
    return !isKnown && this.#watchedTo !== undefined && versionOf(object) <= versionIn(this.#watchedTo);
  }

  /** Takes an object, unless a newer state of it is known. */
  #take(object: JsonObject): void {
    const key = keyOfObject(object);
    const known = this.#objects.get(key);
    if (known === undefined || versionOf(known) < versionOf(object) || uidOf(known) !== uidOf(object)) {
      this.#objects.set(key, object);
      this.#sorted = undefined;
      this.#tellPresent(object);
    }
  }

  #tellPresent(object: JsonObject): void {
    this.#tellAll((follower) => present(follower, object));
  }

  #tellGone(object: JsonObject): void {
    const { namespace, name } = nameOf(object);
    this.#tellAll((follower) => follower.gone(namespace, name));
  }

  #tellAll(tell: (follower: ObjectFollower) => void): void {
    for (const follower of this.#followers) {
      try {
        tell(follower);
      } catch (error) {
        this.#options.onTrouble(error);
      }
    }
  }
}

function present(follower: ObjectFollower, object: JsonObject): void {
  const { namespace, name } = nameOf(object);
  follower.present(namespace, name, object);
}

function nameOf(object: JsonObject): ObjectName {
  return { namespace: textAt(object, "metadata", "namespace"), name: textAt(object, "metadata", "name") };
}

function keyOfObject(object: JsonObject): string {
  const { namespace, name } = nameOf(object);
  return keyOf(namespace, name);
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function versionOf(object: JsonObject): bigint {
  return versionIn(textAt(object, "metadata", "resourceVersion"));
}

function versionIn(text: string): bigint {
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}

function uidOf(object: JsonObject): string {
  return textAt(object, "metadata", "uid");
}

/** Reports whether the server no longer knows the version to watch from; the client passes on what an event has thrown. */
function isExpired(error: unknown): boolean {
  const refusal = error instanceof HttpClientError ? error.cause : error;
  return refusal instanceof StatusError && (refusal.code === 410 || refusal.reason === "Expired");
}

/** Returns the path of the objects of a namespace, of the path of those of all. */
function inNamespace(collection: string, namespace: string): string {
  const slash = collection.lastIndexOf("/");
  return `${collection.slice(0, slash)}/namespaces/${encodeURIComponent(namespace)}${collection.slice(slash)}`;
}
