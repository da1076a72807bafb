import type { JsonObject } from "@gatehouse/envelopes";
import { integerAt, isSet, listAt, textAt, valueAt } from "../objects/json-fields.js";
import { ageOf, humanDuration, objectAge, parseTime } from "./duration.js";
import { labelSelector } from "./labels.js";
import {
  ageColumn,
  column,
  nameColumn,
  type TableContext,
  type TableDefinition,
  wideColumn,
} from "./table-definition.js";
import { containerImages, containerNames, optionalBoolean } from "./text-lists.js";

const containersColumn = wideColumn("Containers", "string", "Names of the containers in the pod template.");
const imagesColumn = wideColumn("Images", "string", "Images of the containers in the pod template.");
const selectorColumn = wideColumn("Selector", "string", "Labels by which the pods are found.");

const job: TableDefinition = {
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

/** A job without a number of completions is done when one pod of its work queue has succeeded. */
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

const cronJob: TableDefinition = {
  columns: [
    nameColumn,
    column("Schedule", "string", "When jobs are started, in cron form."),
    column("Suspend", "boolean", "Whether no more jobs are started."),
    column("Active", "integer", "Number of jobs that run now."),
    column("Last Schedule", "string", "Time since a job was last started."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  cells(object, context) {
    const jobSpec = valueAt(object, "spec", "jobTemplate", "spec");
    const containers = listAt(jobSpec, "template", "spec", "containers");
    const lastSchedule = valueAt(object, "status", "lastScheduleTime");
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "schedule"),
      optionalBoolean(valueAt(object, "spec", "suspend")),
      listAt(object, "status", "active").length,
      isSet(lastSchedule) ? ageOf(lastSchedule, context) : "<none>",
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
      labelSelector(valueAt(jobSpec, "selector")),
    ];
  },
};

export const batchTables: Readonly<Record<string, TableDefinition>> = { CronJob: cronJob, Job: job };
