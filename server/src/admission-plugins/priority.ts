import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  isCoreWrite,
  type ObjectView,
  refusal,
  type SortOfWrite,
} from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import {
  booleanAt,
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  ownObject,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import type { PluginParts } from "./plugin-parts.js";

/** The properties that pods get of their class. */
interface PriorityClass {
  readonly name: string;
  readonly priority: number;
  /** The preemption policy; empty when the class has none. */
  readonly preemptionPolicy: string;
  readonly isDefault: boolean;
}

/** The class of pods without one while no class is the default. */
const withoutClass: PriorityClass = {
  name: "",
  priority: 0,
  preemptionPolicy: "PreemptLowerPriority",
  isDefault: false,
};

const classesResource = Object.freeze({ group: "scheduling.k8s.io", resource: "priorityclasses" });

/** Priority: pods get the numbers of their priority class, and one class at most is for pods that name none. */
export function priority({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const classes = objects.view(classesResource, priorityClassOf);
  return {
    name: "Priority",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]) || isClassWrite(write),
    admit(attributes) {
      if (attributes.resource.resource === "pods") {
        return attributes.operation === "CREATE" ? admitNewPod(classes, attributes) : keepNumbers(attributes);
      }
      return undefined;
    },
    validate(attributes) {
      if (attributes.resource.resource === classesResource.resource && booleanAt(attributes.object, "globalDefault")) {
        return refuseSecondDefault(classes, attributes);
      }
      return undefined;
    },
  };
}

function isClassWrite({ operation, resource, subresource }: SortOfWrite): boolean {
  return (
    resource.group === classesResource.group &&
    resource.resource === classesResource.resource &&
    (operation === "CREATE" || operation === "UPDATE") &&
    subresource === ""
  );
}

function priorityClassOf(object: JsonObject): PriorityClass {
  return {
    name: metaOf(object).name ?? "",
    priority: Number(integerAt(object, "value")),
    preemptionPolicy: textAt(object, "preemptionPolicy"),
    isDefault: booleanAt(object, "globalDefault"),
  };
}

/** Returns the default class; the one with the lowest priority if there are two by chance. */
function defaultClass(classes: ObjectView<PriorityClass>): PriorityClass | undefined {
  let found: PriorityClass | undefined;
  for (const candidate of classes.list("")) {
    if (candidate.isDefault && (found === undefined || candidate.priority < found.priority)) {
      found = candidate;
    }
  }
  return found;
}

function admitNewPod(classes: ObjectView<PriorityClass>, attributes: AdmissionAttributes): MaybePromise<void> {
  const name = textAt(attributes.object, "spec", "priorityClassName");
  const known = name === "" ? (defaultClass(classes) ?? withoutClass) : classes.get("", name);
  return known === undefined ? admitAfterFreshRead(classes, attributes, name) : setNumbers(attributes, known);
}

/** Admits a pod after the cache has caught up, since its class may be new. Throws 403 when there is no such class. */
async function admitAfterFreshRead(
  classes: ObjectView<PriorityClass>,
  attributes: AdmissionAttributes,
  name: string,
): Promise<void> {
  await classes.catchUp(attributes.signal);
  const known = classes.get("", name);
  if (known === undefined) {
    throw refusal(attributes, `no PriorityClass with name ${name} was found`);
  }
  setNumbers(attributes, known);
}

function setNumbers(attributes: AdmissionAttributes, { name, priority, preemptionPolicy }: PriorityClass): void {
  const { object } = attributes;
  if (isSet(object, "spec", "priority") && Number(integerAt(object, "spec", "priority")) !== priority) {
    throw refusal(
      attributes,
      `the integer value of priority (${integerAt(object, "spec", "priority")}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  const stated = textAt(object, "spec", "preemptionPolicy");
  if (preemptionPolicy !== "" && isSet(object, "spec", "preemptionPolicy") && stated !== preemptionPolicy) {
    throw refusal(
      attributes,
      `the string value of PreemptionPolicy (${stated}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  attributes.mutate((pod) => {
    const spec = ownObject(pod, "spec");
    if (name !== "") {
      spec["priorityClassName"] = name;
    }
    spec["priority"] = priority;
    if (preemptionPolicy !== "") {
      spec["preemptionPolicy"] = preemptionPolicy;
    }
    return undefined;
  });
}

/** Keeps the numbers of the stored pod: clients that do not know them send pods without. */
function keepNumbers(attributes: AdmissionAttributes): void {
  const { object, oldObject } = attributes;
  const missing = ["priority", "preemptionPolicy"].filter(
    (member) => !isSet(object, "spec", member) && isSet(oldObject, "spec", member),
  );
  if (missing.length > 0) {
    attributes.mutate((pod) => {
      const spec = ownObject(pod, "spec");
      for (const member of missing) {
        spec[member] = valueAt(oldObject, "spec", member) as JsonValue;
      }
      return undefined;
    });
  }
}

async function refuseSecondDefault(classes: ObjectView<PriorityClass>, attributes: AdmissionAttributes): Promise<void> {
  await classes.catchUp(attributes.signal);
  const other = defaultClass(classes);
  const own = metaOf(attributes.object ?? {}).name;
  if (other !== undefined && (attributes.operation === "CREATE" || other.name !== own)) {
    throw refusal(attributes, `PriorityClass ${other.name} is already marked as default. Only one default can exist`);
  }
}
