import {
  ageColumn,
  column,
  containerImages,
  containerNames,
  labelMap,
  nameColumn,
  objectAge,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { integerAt, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ReplicationController: those of a ReplicaSet, with a plain map as the selector. */
export const replicationControllerColumns: TableDefinition = {
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
