import { isLostRace, isNamespaceGone, isNotFound, type ObjectClient } from "@gatehouse/apiserver/client";
import { pause } from "@gatehouse/component-base/time";
import { integerAt, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import type { ElectionTimes } from "../../options/leader-election.js";
import { type Condition, Switch } from "./condition.js";
import { durationMsOf, holderOf, leaseNamespace, leases, microTime, observeLease } from "./leases.js";

/** The options of a LeaderElection. */
export interface LeaderElectionOptions {
  /** The client for the lease. It must still write when the election has ended, to give the lease back. */
  readonly client: ObjectClient;
  readonly leaseName: string;
  /** The name of this candidate. Candidates of one name count as one. */
  readonly identity: string;
  /** Returns the time in milliseconds since the epoch, for people who read the lease. */
  readonly now: () => number;
  /** Called when this candidate begins to lead, and when it ends. */
  readonly onChange: (isLeading: boolean) => void;
  readonly onError: (error: unknown) => void;
  readonly times: ElectionTimes;
}

/** Bounds in milliseconds of the pause after the first tries, before the namespace of the lease exists. */
const firstRetryMs = 50;

/**
 * A candidate for a Lease in kube-system, by the protocol of client-go. A lease that nobody holds is taken at once. One
 * that is held is taken when it has not changed for its duration, by the clock of this process: clocks are never compared.
 * The leader stops by itself when its last renewal began longer ago than the deadline.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #leading = new Switch();
  #leadsUntil = 0;
  #deadline: NodeJS.Timeout | undefined;
  /** The spec of the lease as it was last seen, and when that was first. */
  #seen = { spec: "", at: 0 };
  #wake = new AbortController();
  #waitsForNamespace = 0;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
  }

  /** The condition that this candidate leads. */
  get leading(): Condition {
    return this.#leading;
  }

  /**
   * Throws when this candidate does not lead. Reads the clock, so that a process that has been stopped notices before its
   * timers do.
   */
  readonly assertLeading = (): void => {
    if (performance.now() >= this.#leadsUntil) {
      throw new Error(`the lease ${this.#options.leaseName} may be held by another server`);
    }
  };

  /** Takes part in the election until the signal aborts. A leader leads on until its deadline, or `release`. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, leaseName, onError } = this.#options;
    const onLease = (lease: JsonObject | undefined): void => {
      if (lease === undefined || holderOf(lease) === "") {
        this.#wake.abort();
      } else {
        this.#see(lease);
      }
    };
    void observeLease(client, leaseName, { onLease, onError }, signal).catch(onError);
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const pauseMs = await this.#try();
      await pause(pauseMs, AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Ends leading, and gives the lease back so that another candidate need not wait. To be called after `run`. Never rejects. */
  async release(): Promise<void> {
    const { client, leaseName, identity, now, onError } = this.#options;
    const mayHold = this.#leadsUntil > performance.now();
    this.#end();
    if (!mayHold) {
      return;
    }
    try {
      await client.update(leases, { namespace: leaseNamespace, name: leaseName }, (lease) => {
        const time = microTime(now());
        const spec = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
        return holderOf(lease) === identity ? { ...lease, spec: { ...objectAt(lease, "spec"), ...spec } } : undefined;
      });
    } catch (error) {
      if (!isNotFound(error)) {
        onError(error);
      }
    }
  }

  /** Tries to take or renew the lease. Returns the milliseconds until the next try. */
  async #try(): Promise<number> {
    const { retryPeriodMs } = this.#options.times;
    const startedAt = performance.now();
    try {
      if (await this.#takeOrRenew()) {
        this.#lead(startedAt);
      } else {
        this.#end();
      }
    } catch (error) {
      if (isNamespaceGone(error)) {
        // A new cluster gets its namespaces in a moment.
        return Math.min(retryPeriodMs, firstRetryMs * 2 ** Math.min(this.#waitsForNamespace++, 10));
      }
      if (!isLostRace(error)) {
        this.#options.onError(error);
      }
    }
    return retryPeriodMs;
  }

  /** Resolves to true when the lease is held by this candidate now. */
  async #takeOrRenew(): Promise<boolean> {
    const { client, leaseName } = this.#options;
    let isOurs = false;
    try {
      await client.update(leases, { namespace: leaseNamespace, name: leaseName }, (lease) => {
        isOurs = this.#mayTake(lease);
        return isOurs ? { ...lease, spec: this.#renewed(lease) } : undefined;
      });
      return isOurs;
    } catch (error) {
      if (!isNotFound(error) || isNamespaceGone(error)) {
        throw error;
      }
    }
    await client.create(leases, {
      kind: "Lease",
      apiVersion: "coordination.k8s.io/v1",
      metadata: { name: leaseName, namespace: leaseNamespace },
      spec: this.#renewed(undefined),
    });
    return true;
  }

  #mayTake(lease: JsonObject): boolean {
    const holder = holderOf(lease);
    this.#see(lease);
    return (
      holder === this.#options.identity || holder === "" || performance.now() >= this.#seen.at + durationMsOf(lease)
    );
  }

  #see(lease: JsonObject): void {
    const spec = JSON.stringify(objectAt(lease, "spec"));
    if (spec !== this.#seen.spec) {
      this.#seen = { spec, at: performance.now() };
    }
  }

  #renewed(lease: JsonObject | undefined): JsonObject {
    const { identity, now } = this.#options;
    const time = microTime(now());
    const old = lease === undefined ? {} : objectAt(lease, "spec");
    const transitions = lease === undefined ? 0 : Number(integerAt(lease, "spec", "leaseTransitions")) + 1;
    return {
      ...old,
      ...(lease !== undefined && holderOf(lease) === identity
        ? {}
        : { acquireTime: time, leaseTransitions: transitions }),
      holderIdentity: identity,
      leaseDurationSeconds: this.#options.times.leaseDurationMs / 1000,
      renewTime: time,
    };
  }

  #lead(renewedAt: number): void {
    this.#leadsUntil = renewedAt + this.#options.times.renewDeadlineMs;
    clearTimeout(this.#deadline);
    const leftMs = this.#leadsUntil - performance.now();
    if (leftMs <= 0) {
      this.#end();
      return;
    }
    this.#deadline = setTimeout(() => this.#end(), leftMs).unref();
    this.#change(true);
  }

  #end(): void {
    clearTimeout(this.#deadline);
    this.#leadsUntil = 0;
    this.#change(false);
  }

  #change(isLeading: boolean): void {
    if (this.#leading.holds !== isLeading) {
      this.#leading.set(isLeading);
      this.#options.onChange(isLeading);
    }
  }
}
