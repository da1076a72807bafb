import {
  ageColumn,
  column,
  containerImages,
  containerNames,
  labelMap,
  labelSelector,
  nameColumn,
  objectAge,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { integerAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { containersColumn, imagesColumn, selectorColumn, templateContainers } from "../../workload-columns.js";

/** Table columns of DaemonSet: the number of nodes that should have a pod, and of the pods in each state. */
export const daemonSetColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Desired", "integer", "Nodes that should run the pod."),
    column("Current", "integer", "Nodes that should run the pod and have one."),
    column("Ready", "integer", "Nodes that should run the pod and have a ready one."),
    column("Up-to-date", "integer", "Nodes whose pod was made from the current template."),
    column("Available", "integer", "Nodes whose pod has been ready for at least the time asked for."),
    column("Node Selector", "string", "Labels of the nodes on which the pods may run."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  cells(object, context) {
    const containers = templateContainers(object);
    return [
      textAt(object, "metadata", "name"),
      integerAt(object, "status", "desiredNumberScheduled"),
      integerAt(object, "status", "currentNumberScheduled"),
      integerAt(object, "status", "numberReady"),
      integerAt(object, "status", "updatedNumberScheduled"),
      integerAt(object, "status", "numberAvailable"),
      labelMap(objectAt(object, "spec", "template", "spec", "nodeSelector")),
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
      labelSelector(valueAt(object, "spec", "selector")),
    ];
  },
};
