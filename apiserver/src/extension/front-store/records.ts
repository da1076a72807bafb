import { textAt } from "@gatehouse/envelopes/json";
import { forEachLimited } from "../../client/for-each-limited.js";
import { StoreUnavailableError } from "../../errors/errors.js";
import type { KeyValue } from "../../storage/store.js";
import { type BackingObjects, type ObjectVersion, versionOf } from "./backing-objects.js";
import { type Head, revisionAfter } from "./head.js";
import { encodePlaceholder, encodeRecord, recordName, revisionOfRecord } from "./record.js";

/** Requests to the API server in front at a time. */
const maxConcurrent = 16;

/**
 * The records of the keys of a store: an object in front for each. What is committed in the head is written here before
 * the head is written again, by the process that committed it or by the next one that writes.
 *
 * A writer may have been suspended for any time before it does so, and others have gone on. Therefore a record is made
 * before its key is committed, and afterwards only replaced at the version that was read, or deleted by its UID: where it
 * is no longer there, a later batch has deleted it.
 */
export class Records {
  readonly #objects: BackingObjects;
  readonly #store: string;
  /** The record of each key; without a version where somebody else has written it. */
  #known = new Map<string, { readonly uid: string; readonly resourceVersion?: string }>();

  constructor(objects: BackingObjects, store: string) {
    this.#objects = objects;
    this.#store = store;
  }

  /** Returns the UID of the record of a key that lives. */
  uidOf(key: string): string {
    const known = this.#known.get(key);
    if (known === undefined) {
      throw new Error(`the record of ${JSON.stringify(key)} is not known`);
    }
    return known.uid;
  }

  /** Goes on with these records instead of those that were known. */
  restart(known: ReadonlyMap<string, ObjectVersion>): void {
    this.#known = new Map(known);
  }

  /** Learns whose record a key has, from the change that has been committed. */
  learn(key: string, uid: string, isDeleted: boolean): void {
    if (isDeleted) {
      this.#known.delete(key);
    } else if (this.#known.get(key)?.uid !== uid) {
      this.#known.set(key, { uid });
    }
  }

  /** Makes the records of keys that are about to be created, and resolves to their UIDs. */
  async prepare(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const uids = new Map<string, string>();
    await all(keys, async (key) => {
      const name = recordName(this.#store, key);
      const object =
        (await this.#objects.create(name, encodePlaceholder(key))) ?? (await this.#objects.getMetadata(name));
      if (object === undefined) {
        throw new StoreUnavailableError(`the ${this.#objects.kind} ${name} comes and goes`);
      }
      uids.set(key, versionOf(object).uid);
    });
    return uids;
  }

  /** Writes the changes of a head; `read` returns a key as it is after them. May be repeated. */
  async apply(head: Head, read: (key: string) => KeyValue | undefined): Promise<void> {
    await all(head.changes, async ({ key, uid, value }) => {
      if (value === undefined) {
        await this.#objects.delete(recordName(this.#store, key), uid);
        return;
      }
      const kv = read(key);
      // A later head has come meanwhile, whose writer has done this before.
      if (kv !== undefined && kv.modRevision <= revisionAfter(head)) {
        await this.#replace(kv, uid);
      }
    });
    await all(head.abandoned, ({ key, uid }) => this.#objects.delete(recordName(this.#store, key), uid));
  }

  async #replace(kv: KeyValue, uid: string): Promise<void> {
    const name = recordName(this.#store, kv.key);
    const known = this.#known.get(kv.key);
    for (let resourceVersion = known?.uid === uid ? known.resourceVersion : undefined; ; resourceVersion = undefined) {
      if (resourceVersion === undefined) {
        const current = await this.#objects.getMetadata(name);
        if (current === undefined || textAt(current, "metadata", "uid") !== uid) {
          return;
        }
        resourceVersion = versionOf(current).resourceVersion;
        if (revisionOfRecord(current) >= kv.modRevision) {
          this.#learnVersion(kv.key, { uid, resourceVersion });
          return;
        }
      }
      const written = await this.#objects.update(name, { uid, resourceVersion }, encodeRecord(kv));
      if (written !== undefined) {
        this.#learnVersion(kv.key, versionOf(written));
        return;
      }
    }
  }

  #learnVersion(key: string, version: ObjectVersion): void {
    if (this.#known.get(key)?.uid === version.uid) {
      this.#known.set(key, version);
    }
  }
}

async function all<T>(items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const [error] = await forEachLimited(items, maxConcurrent, task);
  if (error !== undefined) {
    throw error;
  }
}
