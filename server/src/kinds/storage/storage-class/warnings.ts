import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { deprecatedLabel } from "../../core/node/deprecated-labels.js";

/** Returns the warnings about a storage class. */
export function storageClassWarnings(storageClass: JsonObject): readonly string[] {
  return listAt(storageClass, "allowedTopologies").flatMap((topology, index) =>
    listAt(topology, "matchLabelExpressions").flatMap((expression, position) => {
      const message = deprecatedLabel(textAt(expression, "key"));
      const path = `allowedTopologies[${index}].matchLabelExpressions[${position}].key`;
      return message === undefined ? [] : [`${path}: ${message}`];
    }),
  );
}
