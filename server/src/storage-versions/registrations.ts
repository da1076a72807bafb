import type { GroupResource } from "@gatehouse/envelopes/status";
import { groupResourceText } from "@gatehouse/envelopes/status";
import type { StoredResource } from "./stored-resources.js";

/** The progress of this server in telling others in which versions it stores its resources. */
export class StorageVersionRegistrations {
  readonly #pending = new Map<string, Pending>();

  constructor(resources: readonly StoredResource[]) {
    for (const { name, servedAs } of resources) {
      for (const served of servedAs) {
        this.#pending.set(groupResourceText(served), { name, lastError: undefined });
      }
    }
  }

  /** True if all resources have been registered once. */
  get isComplete(): boolean {
    return this.#pending.size === 0;
  }

  /** Returns what holds up writes to a resource; undefined when nothing does. */
  pending(resource: GroupResource): Pick<Pending, "lastError"> | undefined {
    return this.#pending.get(groupResourceText(resource));
  }

  /** Reports whether a resource has been registered, by the name of its StorageVersion. */
  isRegistered(name: string): boolean {
    return ![...this.#pending.values()].some((pending) => pending.name === name);
  }

  /** Notes that a resource has been registered. */
  succeeded(name: string): void {
    for (const [key, pending] of this.#pending) {
      if (pending.name === name) {
        this.#pending.delete(key);
      }
    }
  }

  /** Notes the reason why a resource has not been registered. */
  failed(name: string, error: Error): void {
    for (const pending of this.#pending.values()) {
      if (pending.name === name) {
        pending.lastError = error;
      }
    }
  }
}

interface Pending {
  /** The name of the StorageVersion. */
  readonly name: string;
  /** The failure of the last try to register it. */
  lastError: Error | undefined;
}
