import { integerAt, textAt, valueAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { labelSelector } from "../../../tables/labels.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";
import { containerImages, containerNames } from "../../../tables/text-lists.js";
import { containersColumn, imagesColumn, selectorColumn, templateContainers } from "../../workload-columns.js";

/** Table columns of ReplicaSet: the number of pods wanted, present and ready. */
export const replicaSetTable: TableDefinition = {
  columns: [
    nameColumn,
    column("Desired", "integer", "Number of pods wanted."),
    column("Current", "integer", "Number of pods that exist."),
    column("Ready", "integer", "Number of pods that are ready."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  cells(object, context) {
    const containers = templateContainers(object);
    return [
      textAt(object, "metadata", "name"),
      integerAt(object, "spec", "replicas"),
      integerAt(object, "status", "replicas"),
      integerAt(object, "status", "readyReplicas"),
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
      labelSelector(valueAt(object, "spec", "selector")),
    ];
  },
};
