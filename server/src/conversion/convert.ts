import { apiVersionOf, type JsonObject } from "@gatehouse/envelopes";
import { coreEventFromGroup, groupEventFromCore } from "./event.js";
import { autoscalerFromV1, autoscalerToV1 } from "./horizontal-pod-autoscaler.js";
import { priorityLevelFromBeta3, priorityLevelToBeta3 } from "./priority-level-configuration.js";

/** The group and version of an object, or those wanted. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Makes the members of an object (without kind and apiVersion) in another version; does not change the object. */
type Conversion = (object: JsonObject) => JsonObject;

/** Versions that differ in nothing but their names. */
const sameShape: Conversion = (object) => object;

const flowcontrol = "flowcontrol.apiserver.k8s.io";
const admissionregistration = "admissionregistration.k8s.io";

const conversions: ReadonlyMap<string, Conversion> = new Map([
  ["Event: events.k8s.io/v1 -> v1", coreEventFromGroup],
  ["Event: v1 -> events.k8s.io/v1", groupEventFromCore],
  ["HorizontalPodAutoscaler: autoscaling/v2 -> autoscaling/v1", autoscalerToV1],
  ["HorizontalPodAutoscaler: autoscaling/v1 -> autoscaling/v2", autoscalerFromV1],
  [`PriorityLevelConfiguration: ${flowcontrol}/v1 -> ${flowcontrol}/v1beta3`, priorityLevelToBeta3],
  [`PriorityLevelConfiguration: ${flowcontrol}/v1beta3 -> ${flowcontrol}/v1`, priorityLevelFromBeta3],
  ...bothWays("FlowSchema", `${flowcontrol}/v1`, `${flowcontrol}/v1beta3`),
  ...bothWays("ValidatingAdmissionPolicy", `${admissionregistration}/v1alpha1`, `${admissionregistration}/v1beta1`),
  ...bothWays(
    "ValidatingAdmissionPolicyBinding",
    `${admissionregistration}/v1alpha1`,
    `${admissionregistration}/v1beta1`,
  ),
]);

function bothWays(kind: string, a: string, b: string): readonly (readonly [string, Conversion])[] {
  return [
    [`${kind}: ${a} -> ${b}`, sameShape],
    [`${kind}: ${b} -> ${a}`, sameShape],
  ];
}

/**
 * An object in another version of its kind. The result may share members with the object, which is not changed. `from`
 * is the version of the object, whether or not it says so itself. Throws TypeError for versions between which this
 * server has no conversion.
 */
export function convert(object: JsonObject, from: GroupVersion, to: GroupVersion): JsonObject {
  const fromVersion = apiVersionOf(from);
  const toVersion = apiVersionOf(to);
  if (fromVersion === toVersion) {
    return object;
  }
  const { kind, apiVersion: _apiVersion, ...members } = object;
  const conversion = conversions.get(`${kind}: ${fromVersion} -> ${toVersion}`);
  if (conversion === undefined) {
    throw new TypeError(`no conversion of ${kind} from ${fromVersion} to ${toVersion}`);
  }
  return { kind, apiVersion: toVersion, ...conversion(members) };
}
