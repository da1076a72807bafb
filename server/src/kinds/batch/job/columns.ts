import {
  ageColumn,
  column,
  containerImages,
  containerNames,
  humanDuration,
  labelSelector,
  nameColumn,
  objectAge,
  parseTime,
  type TableContext,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { integerAt, isSet, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { containersColumn, imagesColumn, selectorColumn } from "../../workload-columns.js";

/** Table columns of Job: the pods that have succeeded, of the number wanted, and the duration so far. */
export const jobColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Completions", "string", "Pods that have succeeded, of the number wanted."),
    column("Duration", "string", "Time from start to completion, or until now."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  cells(object, context) {
    const containers = listAt(object, "spec", "template", "spec", "containers");
    return [
      textAt(object, "metadata", "name"),
      completions(object),
      duration(object, context),
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
      labelSelector(valueAt(object, "spec", "selector")),
    ];
  },
};

/** Returns the number of completions; a job without one is done when one pod of its work queue has succeeded. */
function completions(object: JsonObject): string {
  const succeeded = integerAt(object, "status", "succeeded");
  if (isSet(object, "spec", "completions")) {
    return `${succeeded}/${integerAt(object, "spec", "completions")}`;
  }
  const parallelism = integerAt(object, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(object: JsonObject, context: TableContext): string {
  const start = parseTime(valueAt(object, "status", "startTime"));
  if (start === undefined) {
    return "";
  }
  return humanDuration((parseTime(valueAt(object, "status", "completionTime")) ?? context.now) - start);
}
