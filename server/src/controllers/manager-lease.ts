import type { GroupResource } from "@gatehouse/envelopes";
import { integerAt, textAt } from "../objects/json-fields.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { ObjectClient } from "./object-client.js";

const leases: GroupResource = Object.freeze({ group: "coordination.k8s.io", resource: "leases" });
const place = { namespace: "kube-system", name: "kube-controller-manager" } as const;

/** What a lease that does not say so lasts, as in v1.29. */
const defaultSeconds = 15;

/**
 * Whether a kube-controller-manager runs beside this server: it holds a lease, and renews it. A lease counts as held for
 * its duration from when a renewal was seen, so that clocks need not agree; only what is there at first goes by the time
 * that it names.
 */
export class ManagerLease {
  readonly #waiting = new Set<() => void>();
  #heldUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Follows the lease until the signal aborts. Resolves when it is known. `now`: milliseconds since the epoch. */
  async follow(
    client: ObjectClient,
    options: { readonly now: () => number; readonly onError: (error: unknown) => void; readonly signal: AbortSignal },
  ): Promise<void> {
    const { now, onError, signal } = options;
    if (client.find(leases) === undefined) {
      return;
    }
    const isOurs = (object: { readonly namespace: string; readonly name: string }): boolean =>
      object.name === place.name && object.namespace === place.namespace;
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
    await client.observe(
      leases,
      {
        onList: (objects) => {
          for (const object of objects.filter(isOurs)) {
            const { seconds, renewedAt } = readLease(object.entry);
            this.#hold(Math.min(seconds * 1000, renewedAt + seconds * 1000 - now()));
          }
        },
        onEvent: (event) => {
          if (isOurs(event)) {
            this.#hold(event.type === "DELETED" ? 0 : readLease(event.entry).seconds * 1000);
          }
        },
        onError,
      },
      signal,
    );
  }

  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  /** Resolves when the lease is held, or is not, or when the signal aborts. */
  async until(held: boolean, signal: AbortSignal): Promise<void> {
    while (this.isHeld !== held && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    }
  }

  #hold(ms: number): void {
    clearTimeout(this.#timer);
    this.#heldUntil = ms > 0 ? performance.now() + ms : 0;
    if (ms > 0) {
      this.#timer = setTimeout(() => this.#hold(0), ms);
    }
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }
}

function readLease(entry: CacheEntry): { readonly seconds: number; readonly renewedAt: number } {
  const lease = entry.object();
  const isTaken = textAt(lease, "spec", "holderIdentity") !== "";
  const seconds = Number(integerAt(lease, "spec", "leaseDurationSeconds")) || defaultSeconds;
  return { seconds: isTaken ? seconds : 0, renewedAt: Date.parse(textAt(lease, "spec", "renewTime")) || 0 };
}
