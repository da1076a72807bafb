import { copyMemberNotes, forgetEmptied } from "@gatehouse/envelopes/codec";
import { integerAt, isSet, type JsonObject, type JsonValue, listAt, objectAt } from "@gatehouse/envelopes/json";

/**
 * Returns a copy of the new spec with the old values of all members that may change in any pod; any difference left is
 * an error.
 */
export function comparableSpec(spec: JsonObject, old: JsonObject, isResizable: boolean): JsonObject {
  const comparable = copyOf(spec);
  const oldContainers = listAt(old, "containers");
  take(
    comparable,
    "containers",
    listAt(spec, "containers").map((container, index) =>
      withOld(container, oldContainers[index], isResizable ? withOldAmounts : undefined),
    ),
  );
  const oldInit = listAt(old, "initContainers");
  take(
    comparable,
    "initContainers",
    listAt(spec, "initContainers").map((container, index) => withOld(container, oldInit[index], undefined)),
  );
  for (const name of ["activeDeadlineSeconds", "schedulingGates", "tolerations"]) {
    take(comparable, name, old[name]);
  }
  // Some pods have been stored with a negative period, which an update may correct.
  const wasNegative =
    isSet(old, "terminationGracePeriodSeconds") && integerAt(old, "terminationGracePeriodSeconds") < 0;
  if (wasNegative && spec["terminationGracePeriodSeconds"] === 1) {
    take(comparable, "terminationGracePeriodSeconds", old["terminationGracePeriodSeconds"]);
  }
  return comparable;
}

/** Returns a shallow copy of an object. */
export function copyOf(object: JsonObject): JsonObject {
  const copy = { ...object };
  copyMemberNotes(object, copy);
  return copy;
}

/** Sets a member, or deletes it if the value is undefined or an empty list, which v1.29 then shows as nil. */
export function take(target: JsonObject, name: string, value: JsonValue | undefined): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) {
    delete target[name];
    forgetEmptied(target, name);
  } else {
    target[name] = value;
  }
}

function withOld(
  container: JsonValue,
  old: JsonValue | undefined,
  change: ((container: JsonObject, old: JsonObject) => void) | undefined,
): JsonObject {
  const copy = copyOf(objectAt(container));
  const before = objectAt(old);
  take(copy, "image", before["image"]);
  change?.(copy, before);
  return copy;
}

const resizable = ["cpu", "memory"];

/** Restores the old amounts of CPU and memory; claims are dropped from the comparison, as in v1.29. */
function withOldAmounts(container: JsonObject, old: JsonObject): void {
  const amounts = (name: string): JsonObject | undefined => {
    const before = objectAt(old, "resources", name);
    if (!isSet(old, "resources", name)) {
      return undefined;
    }
    const merged = { ...objectAt(container, "resources", name) };
    for (const resource of resizable) {
      take(merged, resource, before[resource]);
    }
    return merged;
  };
  const resources: JsonObject = {};
  take(resources, "limits", amounts("limits"));
  take(resources, "requests", amounts("requests"));
  container["resources"] = resources;
}
