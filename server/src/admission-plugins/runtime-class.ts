import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  isCoreWrite,
  type ObjectView,
  refusal,
} from "@gatehouse/apiserver/admission";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import { compareQuantity, parseQuantity, wasSentEmpty } from "@gatehouse/envelopes/codec";
import { isSet, type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "./plugin-parts.js";
import { mergeTolerations } from "./tolerations.js";

const classesResource = Object.freeze({ group: "node.k8s.io", resource: "runtimeclasses" });
const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const unfounded = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";

/** RuntimeClass: pods get what running them costs beside their containers, and are led to the nodes that can run them. */
export function runtimeClass({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const classes = objects.view(classesResource, (object) => object);
  return {
    name: "RuntimeClass",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE"]),
    admit: (attributes) => withClass(classes, attributes, setFromClass),
    validate: (attributes) => withClass(classes, attributes, checkOverhead),
  };
}

type Step = (attributes: AdmissionAttributes, runtimeClass: JsonObject | undefined) => void;

/** Takes the step with the class that the pod names, if it names one. The class may have been made a moment ago. */
function withClass(classes: ObjectView<JsonObject>, attributes: AdmissionAttributes, step: Step): MaybePromise<void> {
  if (!isSet(attributes.object, "spec", "runtimeClassName")) {
    step(attributes, undefined);
    return undefined;
  }
  const name = textAt(attributes.object, "spec", "runtimeClassName");
  const known = classes.get("", name);
  if (known !== undefined) {
    step(attributes, known);
    return undefined;
  }
  return classes.catchUp(attributes.signal).then(() => {
    const fresh = classes.get("", name);
    if (fresh === undefined) {
      throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    }
    step(attributes, fresh);
  });
}

function setFromClass(attributes: AdmissionAttributes, runtimeClass: JsonObject | undefined): void {
  if (isSet(runtimeClass, "overhead")) {
    const overhead = objectAt(runtimeClass, "overhead", "podFixed");
    if (statesOverhead(attributes) && !areSameAmounts(overhead, objectAt(attributes.object, "spec", "overhead"))) {
      throw refusal(attributes, mismatch);
    }
    attributes.mutate((pod) => {
      ownObject(pod, "spec")["overhead"] = { ...overhead };
      return undefined;
    });
  } else if (wasSentEmpty(objectAt(attributes.object, "spec"), "overhead")) {
    // Later nobody knows of it any more.
    throw refusal(attributes, unfounded);
  }
  if (isSet(runtimeClass, "scheduling")) {
    setScheduling(attributes, objectAt(runtimeClass, "scheduling"));
  }
}

function setScheduling(attributes: AdmissionAttributes, scheduling: JsonObject): void {
  const demanded = objectAt(scheduling, "nodeSelector");
  const own = objectAt(attributes.object, "spec", "nodeSelector");
  for (const [key, value] of Object.entries(demanded)) {
    if (Object.hasOwn(own, key) && own[key] !== value) {
      throw refusal(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
      );
    }
  }
  attributes.mutate((pod) => {
    const spec = ownObject(pod, "spec");
    const tolerations = mergeTolerations(listAt(spec, "tolerations"), listAt(scheduling, "tolerations"));
    if (Object.keys(demanded).length > 0) {
      spec["nodeSelector"] = { ...own, ...demanded };
    }
    if (tolerations.length > 0) {
      spec["tolerations"] = structuredClone(tolerations);
    }
    return undefined;
  });
}

function checkOverhead(attributes: AdmissionAttributes, runtimeClass: JsonObject | undefined): void {
  const stated = objectAt(attributes.object, "spec", "overhead");
  if (isSet(runtimeClass, "overhead")) {
    if (!areSameAmounts(objectAt(runtimeClass, "overhead", "podFixed"), stated)) {
      throw refusal(attributes, mismatch);
    }
  } else if (isSet(attributes.object, "spec", "overhead")) {
    throw refusal(attributes, unfounded);
  }
}

/** Reports whether a pod states an overhead; an empty one counts. */
function statesOverhead({ object }: AdmissionAttributes): boolean {
  const spec = objectAt(object, "spec");
  return isSet(spec, "overhead") || wasSentEmpty(spec, "overhead");
}

/** Compares amounts by value. One that cannot be read is reported when the pod is validated. */
function areSameAmounts(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        Object.hasOwn(b, name) && compareQuantity(parseQuantity(String(a[name])), parseQuantity(String(b[name]))) === 0,
    )
  );
}
