import { integerAt, listAt, objectAt, textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { labelMap } from "../../../tables/labels.js";
import { ageColumn, column, nameColumn, type TableDefinition, wideColumn } from "../../../tables/table-definition.js";
import { containerImages, containerNames } from "../../../tables/text-lists.js";

/** Table columns of ReplicationController: those of a ReplicaSet, with a plain map as the selector. */
export const replicationControllerTable: TableDefinition = {
  columns: [
    nameColumn,
    column("Desired", "integer", "Number of pods wanted."),
    column("Current", "integer", "Number of pods that exist."),
    column("Ready", "integer", "Number of pods that are ready."),
    ageColumn,
    wideColumn("Containers", "string", "Names of the containers in the pod template."),
    wideColumn("Images", "string", "Images of the containers in the pod template."),
    wideColumn("Selector", "string", "Labels by which the pods are found."),
  ],
  cells(object, context) {
    const containers = listAt(object, "spec", "template", "spec", "containers");
    return [
      textAt(object, "metadata", "name"),
      integerAt(object, "spec", "replicas"),
      integerAt(object, "status", "replicas"),
      integerAt(object, "status", "readyReplicas"),
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
      labelMap(objectAt(object, "spec", "selector")),
    ];
  },
};
