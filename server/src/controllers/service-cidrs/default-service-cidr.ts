import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { textsAt } from "@gatehouse/envelopes/json";
import { defaultServiceCidrName, serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { applyReadyCondition, readyConditionOf } from "./ready-condition.js";

/** The options of the controller. */
export interface DefaultServiceCidrOptions extends ControllerOptions {
  /** The ranges of `--service-cluster-ip-range`, in their order. */
  readonly cidrs: readonly string[];
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when the ServiceCIDR exists. */
  readonly onDone: () => void;
}

/** The manager of the condition, as in v1.29. */
const manager = "kubernetes-service-cidr-controller";

/** Interval in milliseconds between looks, as in v1.29. */
const intervalMs = 10_000;

/**
 * Makes the ServiceCIDR of the ranges that the server was started with, again when it is gone. One that has other ranges
 * stays as it is, since Services have addresses of it.
 */
export function defaultServiceCidr(options: DefaultServiceCidrOptions): Controller {
  const { client, cidrs, onDone } = options;
  const work = async (): Promise<{ readonly afterMs: number }> => {
    const serviceCidr = (await client.get(serviceCidrs, "", defaultServiceCidrName)) ?? (await create());
    const isDeleted = metaOf(serviceCidr).deletionTimestamp !== undefined;
    // A condition is left to the controller of all ServiceCIDRs, which may not be running.
    const isOwn = cidrs.join() === textsAt(serviceCidr, "spec", "cidrs").join();
    if (!isDeleted && isOwn && readyConditionOf(serviceCidr) === undefined) {
      const verdict = { status: "True", message: "Kubernetes default Service CIDR is ready" } as const;
      await applyReadyCondition(client, serviceCidr, verdict, { manager, now: options.now });
    }
    onDone();
    return { afterMs: intervalMs };
  };
  const create = () =>
    client.create(serviceCidrs, {
      kind: "ServiceCIDR",
      apiVersion: "networking.k8s.io/v1alpha1",
      metadata: { name: defaultServiceCidrName },
      spec: { cidrs: [...cidrs] },
    });
  return {
    name: manager,
    run: (signal) =>
      reconcile({ ...options, signal, concurrency: 1, work, initial: [defaultServiceCidrName], sources: [] }),
  };
}
