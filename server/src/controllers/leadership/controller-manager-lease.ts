import type { ObjectClient } from "@gatehouse/apiserver/client";
import { type Condition, Switch } from "./condition.js";
import { durationMsOf, holderOf, observeLease } from "./leases.js";

const leaseName = "kube-controller-manager";

/** The options of `withoutControllerManager`. */
export interface ControllerManagerOptions {
  readonly client: ObjectClient;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Returns the condition that no kube-controller-manager runs beside this server. Such a program does some of the work
 * that is otherwise done here, and two that do the same work would undo, or fail at, the work of the other. It holds its
 * lease in kube-system while it works; the time of a renewal is counted from when it is seen, not by the holder's clock.
 */
export function withoutControllerManager({ client, signal, onError }: ControllerManagerOptions): Condition {
  const isAbsent = new Switch();
  let timer: NodeJS.Timeout | undefined;
  let isHeld = false;
  const onLease: Parameters<typeof observeLease>[2]["onLease"] = (lease) => {
    const ms = lease === undefined || holderOf(lease) === "" ? 0 : durationMsOf(lease);
    isHeld = ms > 0;
    clearTimeout(timer);
    if (isHeld) {
      timer = setTimeout(() => isAbsent.set(true), ms + 1).unref();
    }
    isAbsent.set(!isHeld);
  };
  void observeLease(client, leaseName, { onLease, onError }, signal)
    .catch(onError)
    .then(() => isAbsent.set(!isHeld));
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return isAbsent;
}
