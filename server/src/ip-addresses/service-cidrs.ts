import { isTerminating, type ObjectClient, type ObservedObject } from "@gatehouse/apiserver/client";
import { parseCidr } from "@gatehouse/apiserver/options";
import { conditionOfType, type JsonObject, listAt, textsAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { type HostRange, hostRange } from "./host-range.js";

/** The objects that name the ranges of addresses of Services. */
export const serviceCidrs: GroupResource = Object.freeze({ group: "networking.k8s.io", resource: "servicecidrs" });

/** The name of the ServiceCIDR that every cluster has, with the ranges of `--service-cluster-ip-range`. */
export const defaultServiceCidrName = "kubernetes";

/** A ServiceCIDR, as far as its ranges are concerned. */
export interface KnownServiceCidr {
  readonly name: string;
  readonly ranges: readonly HostRange[];
  /** True if addresses may be allocated from it. */
  readonly isReady: boolean;
}

/** The ServiceCIDRs that exist. */
export interface ServiceCidrs {
  all(): readonly KnownServiceCidr[];
}

/** Follows the ServiceCIDRs until the signal aborts. Resolves when all are known; `onChange` is called after each change. */
export async function followServiceCidrs(
  client: ObjectClient,
  { signal, onChange, onError }: { signal: AbortSignal; onChange?: () => void; onError: (error: unknown) => void },
): Promise<ServiceCidrs> {
  let known = new Map<string, KnownServiceCidr>();
  /** ServiceCIDRs that a repeated list has told so far. */
  let relisted: Map<string, KnownServiceCidr> | undefined;
  let isComplete = false;
  const note = ({ name, entry }: ObservedObject): void => {
    const object = entry.object();
    const cidr = { name, ranges: rangesOf(object), isReady: !isTerminating(entry) && isReady(object) };
    known.set(name, cidr);
    relisted?.set(name, cidr);
  };
  await client.observe(
    serviceCidrs,
    {
      onList(objects) {
        if (isComplete) {
          relisted ??= new Map();
        }
        objects.forEach(note);
      },
      onEvent(event) {
        if (event.type === "DELETED") {
          known.delete(event.name);
          relisted?.delete(event.name);
        } else {
          note(event);
        }
        onChange?.();
      },
      onMissed() {
        known = relisted ?? known;
        relisted = undefined;
        onChange?.();
      },
      onError,
    },
    signal,
  );
  isComplete = true;
  return { all: () => [...known.values()] };
}

/** Returns the ranges of a ServiceCIDR. */
export function rangesOf(serviceCidr: JsonObject): readonly HostRange[] {
  const cidrs = textsAt(serviceCidr, "spec", "cidrs").map(parseCidr);
  return cidrs.filter((cidr) => cidr !== undefined).map(hostRange);
}

/** Reports whether a ServiceCIDR is ready; one without the condition is, since its controller may not be running. */
function isReady(object: JsonObject): boolean {
  const condition = conditionOfType(listAt(object, "status", "conditions"), "Ready");
  return condition === undefined || condition["status"] === "True";
}
