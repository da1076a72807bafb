import {
  ageColumn,
  column,
  containerImages,
  containerNames,
  labelSelector,
  nameColumn,
  objectAge,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { integerAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { containersColumn, imagesColumn, selectorColumn, templateContainers } from "../../workload-columns.js";

/** Table columns of ReplicaSet: the number of pods wanted, present and ready. */
export const replicaSetColumns: TableDefinition = {
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
