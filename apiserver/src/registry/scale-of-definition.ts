import { SelectorError } from "@gatehouse/envelopes/errors";
import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";
import { badRequest, internalError } from "@gatehouse/envelopes/status";
import { scaleTable } from "../tables/scale-table.js";
import type { ResourceDefinition } from "./resource-definition.js";
import type { ScaleView } from "./scale-view.js";

/** Returns the mapping between a kind and its Scale, for kinds that have one. */
export function scaleViewOf({ scale }: ResourceDefinition): ScaleView {
  return scale ?? builtinScale;
}

/** Returns the desired replicas of an object. Throws StatusError where they must be stated, and are not. */
export function replicasOf(view: ScaleView, object: JsonObject): number {
  const { replicas } = view.read(object);
  if (replicas === undefined && view.requiredReplicas !== undefined) {
    throw internalError(`the spec replicas field ${goQuote(view.requiredReplicas)} does not exist`);
  }
  return replicas ?? 0;
}

/** The mapping for kinds with `spec.replicas`, `spec.selector` and `status.replicas`. */
export const builtinScale: ScaleView = {
  read(object) {
    const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
    const status = isJsonObject(object["status"]) ? object["status"] : {};
    return {
      replicas: Number(spec["replicas"] ?? 0),
      statusReplicas: Number(status["replicas"] ?? 0),
      selector: selectorText(spec["selector"]),
    };
  },
  write(object, replicas) {
    object["spec"] = { ...(isJsonObject(object["spec"]) ? object["spec"] : {}), replicas };
  },
  table: scaleTable,
};

/** Returns the text of a selector: ReplicationControllers have a plain map, newer kinds a LabelSelector. */
function selectorText(selector: JsonValue | undefined): string {
  if (!isJsonObject(selector)) {
    return "";
  }
  const isLabelSelector = isJsonObject(selector["matchLabels"]) || Array.isArray(selector["matchExpressions"]);
  try {
    return labelSelectorOf((isLabelSelector ? selector : { matchLabels: selector }) as LabelSelectorObject).toString();
  } catch (error) {
    // What is stored may be older than the validation of it.
    throw error instanceof SelectorError ? badRequest(error.message, error) : error;
  }
}
