import {
  ageColumn,
  ageOf,
  column,
  containerImages,
  containerNames,
  labelSelector,
  nameColumn,
  objectAge,
  optionalBoolean,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { isSet, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { containersColumn, imagesColumn, selectorColumn } from "../../workload-columns.js";

/** Table columns of CronJob: its schedule, the number of running jobs, and the time since the last start. */
export const cronJobColumns: TableDefinition = {
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
