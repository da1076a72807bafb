import { setMaxListeners } from "node:events";
import type { Controller, ObjectClient, ObjectObserver, ObservedObject } from "@gatehouse/apiserver/client";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { integerAt, textAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

const leases: GroupResource = Object.freeze({ group: "coordination.k8s.io", resource: "leases" });
const leaseNamespace = "kube-system";
const leaseName = "kube-controller-manager";

/** The options of a ControllerManagerLease. */
export interface ControllerManagerLeaseOptions {
  readonly client: ObjectClient;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * The lease in `kube-system` of a kube-controller-manager beside this server, which then does some of the work that is
 * otherwise done here. Two that do the same work would undo, or fail at, the work of the other.
 */
export class ControllerManagerLease {
  readonly #known: Promise<void>;
  #heldUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<() => void>();

  constructor({ client, signal, onError }: ControllerManagerLeaseOptions) {
    const take = ({ namespace, name, entry }: ObservedObject, isGone = false): void => {
      if (name === leaseName && namespace === leaseNamespace) {
        this.#hold(isGone ? 0 : durationMs(entry));
      }
    };
    const observer: ObjectObserver = {
      onList(objects) {
        for (const object of objects) {
          take(object);
        }
      },
      onEvent: (event) => take(event, event.type === "DELETED"),
      onError,
    };
    this.#known =
      client.find(leases) === undefined ? Promise.resolve() : client.observe(leases, observer, signal).catch(onError);
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** True while the lease is held, as far as is known. */
  get isHeld(): boolean {
    return this.#heldUntilMs > performance.now();
  }

  /** Resolves when nobody holds it, or the signal aborts. */
  async free(signal: AbortSignal): Promise<void> {
    await this.#known;
    await this.#until(() => !this.isHeld, signal);
  }

  /** Resolves when somebody holds it, or the signal aborts. */
  async held(signal: AbortSignal): Promise<void> {
    await this.#until(() => this.isHeld, signal);
  }

  #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    if (isSo() || signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const look = (): void => {
        if (isSo() || signal.aborted) {
          this.#listeners.delete(look);
          signal.removeEventListener("abort", look);
          resolve();
        }
      };
      this.#listeners.add(look);
      signal.addEventListener("abort", look, { once: true });
    });
  }

  #hold(ms: number): void {
    this.#heldUntilMs = ms === 0 ? 0 : performance.now() + ms;
    clearTimeout(this.#timer);
    if (ms > 0) {
      this.#timer = setTimeout(() => this.#tell(), ms + 1);
      this.#timer.unref();
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

/**
 * Returns the milliseconds for which a renewal holds the lease, counted from when it is seen and not by the holder's
 * clock; 0 for a released lease.
 */
function durationMs(entry: CacheEntry): number {
  const lease = entry.object();
  const isHeld = textAt(lease, "spec", "holderIdentity") !== "";
  return isHeld ? Number(integerAt(lease, "spec", "leaseDurationSeconds")) * 1000 : 0;
}

/** Returns a controller that stops while a kube-controller-manager does its work, and starts anew afterwards. */
export function restingBeside(lease: ControllerManagerLease, controller: Controller): Controller {
  return {
    name: controller.name,
    async run(signal) {
      for (await lease.free(signal); !signal.aborted; await lease.free(signal)) {
        const turn = new AbortController();
        const either = AbortSignal.any([signal, turn.signal]);
        setMaxListeners(0, either);
        void lease.held(either).then(() => turn.abort());
        try {
          await controller.run(either);
        } finally {
          turn.abort();
        }
      }
    },
  };
}
