import { type Controller, type ControllerOptions, isLostRace, reconcile } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, textAt, textsAt } from "@gatehouse/envelopes/json";
import { defaultServiceCidrName, serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { CoreEventRecorder } from "../core-event-recorder.js";
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

const kindOfServiceCidrs = { kind: "ServiceCIDR", apiVersion: "networking.k8s.io/v1alpha1" } as const;

/** The reason of events about failures, as in v1.29. */
const failed = "KubernetesDefaultServiceCIDRError";

/** The manager of the condition and the source of events, as in v1.29. */
const manager = "kubernetes-service-cidr-controller";

/** Interval in milliseconds between looks, as in v1.29. */
const intervalMs = 10_000;

/**
 * Makes the ServiceCIDR of the ranges that the server was started with, again when it is gone. One that has other ranges
 * stays as it is, since Services have addresses of it.
 */
export function defaultServiceCidr(options: DefaultServiceCidrOptions): Controller {
  const { client, cidrs, onDone } = options;
  const recorder = new CoreEventRecorder({ ...options, component: manager });
  const warn = (serviceCidr: JsonObject, reason: string, message: string): void =>
    recorder.report(serviceCidr, kindOfServiceCidrs, { type: "Warning", reason, message });
  const wanted = {
    ...kindOfServiceCidrs,
    metadata: { name: defaultServiceCidrName },
    spec: { cidrs: [...cidrs] },
  };
  const work = async (): Promise<{ readonly afterMs: number }> => {
    const known = await client.get(serviceCidrs, "", defaultServiceCidrName);
    const serviceCidr =
      known ??
      (await client.create(serviceCidrs, wanted).catch((error: unknown) => {
        if (!isLostRace(error)) {
          warn(wanted, failed, "The default ServiceCIDR can not be created");
        }
        throw error;
      }));
    await tellReady(serviceCidr);
    onDone();
    return { afterMs: intervalMs };
  };
  const tellReady = async (serviceCidr: JsonObject): Promise<void> => {
    if (metaOf(serviceCidr).deletionTimestamp !== undefined) {
      return;
    }
    const condition = readyConditionOf(serviceCidr);
    if (condition !== undefined) {
      // A condition is left to the controller of all ServiceCIDRs, which may not be running.
      if (condition["status"] !== "True") {
        warn(serviceCidr, textAt(condition, "reason"), textAt(condition, "message"));
      }
      return;
    }
    if (cidrs.join() === textsAt(serviceCidr, "spec", "cidrs").join()) {
      const verdict = { status: "True", message: "Kubernetes default Service CIDR is ready" } as const;
      try {
        await applyReadyCondition(client, serviceCidr, verdict, { manager, now: options.now });
      } catch (error) {
        options.onError(error); // It is tried again at the next look.
        warn(serviceCidr, failed, "The default ServiceCIDR Status can not be set to Ready=True");
      }
    }
  };
  return {
    name: manager,
    async run(signal) {
      await reconcile({ ...options, signal, concurrency: 1, work, initial: [defaultServiceCidrName], sources: [] });
      await recorder.idle();
    },
  };
}
