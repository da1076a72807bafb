import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { integerAt, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { hpaTargets } from "./targets.js";

/**
 * Table columns of HorizontalPodAutoscaler: its target and bounds, and each metric as `current/wanted`. Reads the form
 * of v2, which is stored.
 */
export const horizontalPodAutoscalerColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Reference", "string", "The workload that is scaled."),
    column("Targets", "string", "Current and wanted value of each metric."),
    column("MinPods", "string", "Smallest number of pods allowed."),
    column("MaxPods", "string", "Largest number of pods allowed."),
    column("Replicas", "string", "Number of pods that exist."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      `${textAt(object, "spec", "scaleTargetRef", "kind")}/${textAt(object, "spec", "scaleTargetRef", "name")}`,
      hpaTargets(listAt(object, "spec", "metrics"), listAt(object, "status", "currentMetrics")),
      scalarText(valueAt(object, "spec", "minReplicas"), "<unset>"),
      integerAt(object, "spec", "maxReplicas"),
      integerAt(object, "status", "currentReplicas"),
      objectAge(object, context),
    ];
  },
};
