import type { ObjectClient, ObjectObserver, ObservedObject } from "@gatehouse/apiserver/client";
import { integerAt, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** Leases of coordination.k8s.io, by which programs tell each other that they are alive, or which of them leads. */
export const leases: GroupResource = Object.freeze({ group: "coordination.k8s.io", resource: "leases" });

/** The namespace of the leases of the control plane. */
export const leaseNamespace = "kube-system";

/** Returns the holder of a lease; empty for one that has been given back. */
export function holderOf(lease: JsonObject): string {
  return textAt(lease, "spec", "holderIdentity");
}

/** Returns the milliseconds for which a renewal holds a lease. */
export function durationMsOf(lease: JsonObject): number {
  return Number(integerAt(lease, "spec", "leaseDurationSeconds")) * 1000;
}

/** Returns the MicroTime of milliseconds since the epoch. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}

/** The observer of one lease. */
export interface LeaseObserver {
  /** Called with the lease at first and after every change; with undefined after its deletion. */
  onLease(lease: JsonObject | undefined): void;
  onError(error: unknown): void;
}

/** Tells of a lease in kube-system until the signal aborts. Resolves when the first state has been told, or there is none. */
export async function observeLease(
  client: ObjectClient,
  leaseName: string,
  { onLease, onError }: LeaseObserver,
  signal: AbortSignal,
): Promise<void> {
  if (client.find(leases) === undefined) {
    return;
  }
  const take = ({ namespace, name, entry }: ObservedObject, isGone: boolean): void => {
    if (name === leaseName && namespace === leaseNamespace) {
      onLease(isGone ? undefined : entry.object());
    }
  };
  const observer: ObjectObserver = {
    onList(objects) {
      for (const object of objects) {
        take(object, false);
      }
    },
    onEvent: (event) => take(event, event.type === "DELETED"),
    onError,
  };
  await client.observe(leases, observer, signal);
}
