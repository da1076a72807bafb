import { type AdmissionAttributes, bareRefusal, type ObjectView, refusal } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { ownObject } from "@gatehouse/envelopes/json";
import { internalError, StatusError } from "@gatehouse/envelopes/status";
import { quotaEvaluator } from "../../quota/evaluators.js";
import { addAmounts, type ResourceList } from "../../quota/resource-list.js";
import type { PluginParts } from "../plugin-parts.js";
import { type CountedWrite, checkWrite, type LimitedResource } from "./check-write.js";
import { type QuotaState, quotaState, runningState } from "./quota-state.js";

/** Milliseconds that a write may wait for its charge, as in v1.29. */
const timeoutMs = 10_000;
/**
 * Number of attempts to store a charge. Only the quota controller and other processes of the server write the status of a
 * quota, each once for a lot of writes, so that so many conflicts are a fault.
 */
const maxAttempts = 100;

const resourceQuotas = Object.freeze({ group: "", resource: "resourcequotas" });

/** A write that waits for its charge. */
interface Waiter {
  readonly attributes: AdmissionAttributes;
  readonly write: CountedWrite;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Charges writes to the quotas of their namespaces. Writes that come together are charged together, one lot after the
 * other in each namespace, so that none sees a quota while another one is changing it.
 */
export class WriteCharging {
  readonly #parts: Pick<PluginParts, "objects" | "pendingCharges" | "now" | "features" | "signal">;
  readonly #limited: readonly LimitedResource[];
  readonly #quotas: ObjectView<QuotaState>;
  /** Waiting writes by namespace; there is an entry while a lot of it is being charged. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(
    parts: Pick<PluginParts, "objects" | "pendingCharges" | "now" | "features" | "signal">,
    limited: readonly LimitedResource[],
  ) {
    this.#parts = parts;
    this.#limited = limited;
    this.#quotas = parts.objects.view(resourceQuotas, quotaState);
  }

  /** Resolves when the write has been charged, or needs not to be. Undefined where there is nothing to charge to. */
  charge(attributes: AdmissionAttributes): Promise<void> | undefined {
    const { namespace, object } = attributes;
    if (object === undefined || (this.#limited.length === 0 && this.#quotas.list(namespace).length === 0)) {
      return undefined;
    }
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(internalError("resource quota evaluation timed out")), timeoutMs);
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        end();
      };
      this.#add(namespace, {
        attributes,
        write: { evaluator: quotaEvaluator(attributes.resource), object, oldObject: attributes.oldObject },
        admit: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      });
    });
  }

  #add(namespace: string, waiter: Waiter): void {
    const waiting = this.#waiting.get(namespace);
    if (waiting !== undefined) {
      waiting.push(waiter);
      return;
    }
    this.#waiting.set(namespace, [waiter]);
    void this.#work(namespace);
  }

  async #work(namespace: string): Promise<void> {
    for (let lot = this.#take(namespace); lot.length > 0; lot = this.#take(namespace)) {
      try {
        await this.#chargeAll(namespace, lot);
      } catch (error) {
        // Whoever has an answer already keeps it.
        for (const waiter of lot) {
          waiter.refuse(error);
        }
      }
    }
    this.#waiting.delete(namespace);
  }

  /** Takes the waiting writes of a namespace; those whose request has ended are refused. */
  #take(namespace: string): Waiter[] {
    const lot = this.#waiting.get(namespace) ?? [];
    this.#waiting.set(namespace, []);
    return lot.filter(({ attributes, refuse }) => {
      if (attributes.signal.aborted) {
        refuse(attributes.signal.reason);
      }
      return !attributes.signal.aborted;
    });
  }

  async #chargeAll(namespace: string, lot: readonly Waiter[]): Promise<void> {
    let open = lot;
    await this.#quotas.catchUp(this.#parts.signal);
    let quotas = this.#quotas.list(namespace);
    let limited = this.#limited;
    for (let attempt = 0; open.length > 0; attempt++) {
      const running = quotas.map(runningState);
      open = this.#check(namespace, open, running, limited, attempt > 0);
      const publishing = this.#parts.pendingCharges.published();
      if (publishing !== undefined) {
        await publishing;
      }
      const changed = running.filter(({ used }, index) => !hasSameAmounts(used, quotas[index]?.used));
      const lost = new Set<string>();
      for (const quota of changed) {
        if (!(await this.#store(namespace, quota))) {
          lost.add(quota.name);
        }
      }
      if (lost.size === 0) {
        for (const waiter of open) {
          waiter.admit();
        }
        return;
      }
      if (attempt >= maxAttempts) {
        throw internalError(`quotas of the namespace ${namespace} are changed again and again`);
      }
      await this.#quotas.catchUp(this.#parts.signal);
      // Only what could not be written is looked at anew: the other quotas have been charged.
      quotas = this.#quotas.list(namespace).filter(({ name }) => lost.has(name));
      limited = [];
    }
  }

  /** Refuses what does not fit, admits what nobody is charged for, and returns the rest, charged to `running`. */
  #check(
    namespace: string,
    lot: readonly Waiter[],
    running: readonly QuotaState[],
    limited: readonly LimitedResource[],
    isAnnounced: boolean,
  ): readonly Waiter[] {
    const { pendingCharges, now, features } = this.#parts;
    return lot.filter((waiter) => {
      const { attributes, write } = waiter;
      const uid = metaOf(write.object).uid ?? "";
      const verdict = checkWrite(running, write, limited, { nowMs: now(), features });
      if ("refusal" in verdict) {
        if (isAnnounced) {
          pendingCharges.settle(namespace, uid);
        }
        const { refusal: message, isBare } = verdict;
        waiter.refuse(isBare === true ? bareRefusal(message) : refusal(attributes, message));
        return false;
      }
      if (attributes.dryRun || verdict.charges.size === 0) {
        waiter.admit();
        return false;
      }
      for (const [quota, amounts] of verdict.charges) {
        addAmounts(quota.used, amounts);
      }
      if (!isAnnounced) {
        const charges = [...verdict.charges].map(([quota, amounts]) => [quota.name, amounts] as const);
        pendingCharges.add(namespace, uid, new Map(charges));
      }
      return true;
    });
  }

  /** Stores the usage of a quota. False when it was changed meanwhile. A deleted quota limits nothing any more. */
  async #store(namespace: string, { name, resourceVersion, used }: QuotaState): Promise<boolean> {
    let isLost = false;
    const target = { namespace, name, subresource: "status" };
    try {
      await this.#parts.objects.update(resourceQuotas, target, (quota) => {
        isLost = (metaOf(quota).resourceVersion ?? "") !== resourceVersion;
        if (isLost) {
          return undefined;
        }
        ownObject(quota, "status")["used"] = Object.fromEntries([...used].map(([key, { text }]) => [key, text]));
        return quota;
      });
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) {
        throw error;
      }
    }
    return !isLost;
  }
}

function hasSameAmounts(a: ResourceList, b: ResourceList | undefined): boolean {
  return a.size === b?.size && [...a].every(([name, amount]) => b.get(name)?.text === amount.text);
}
