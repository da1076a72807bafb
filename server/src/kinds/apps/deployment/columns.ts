import {
  ageColumn,
  column,
  containerImages,
  containerNames,
  nameColumn,
  objectAge,
  selectorText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { integerAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import {
  containersColumn,
  imagesColumn,
  readyOfDesired,
  readyOfDesiredColumn,
  selectorColumn,
  templateContainers,
} from "../../workload-columns.js";

/** Table columns of Deployment: the number of pods wanted, ready, up to date and available. */
export const deploymentColumns: TableDefinition = {
  columns: [
    nameColumn,
    readyOfDesiredColumn,
    column("Up-to-date", "string", "Pods made from the current template."),
    column("Available", "string", "Pods that have been ready for at least the time asked for."),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  cells(object, context) {
    const containers = templateContainers(object);
    return [
      textAt(object, "metadata", "name"),
      readyOfDesired(object),
      integerAt(object, "status", "updatedReplicas"),
      integerAt(object, "status", "availableReplicas"),
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
      // Unlike its siblings, this table shows an empty selector as nothing.
      selectorText(valueAt(object, "spec", "selector")) ?? "<invalid>",
    ];
  },
};
