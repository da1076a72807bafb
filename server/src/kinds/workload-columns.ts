import { column, type TableColumn, wideColumn } from "@gatehouse/apiserver/tables";
import { integerAt, type JsonArray, type JsonObject, listAt } from "@gatehouse/envelopes/json";

/** Column of the names of the containers in a pod template. */
export const containersColumn: TableColumn = wideColumn(
  "Containers",
  "string",
  "Names of the containers in the pod template.",
);
/** Column of the container images, whose cell `containerImages` makes. */
export const imagesColumn: TableColumn = wideColumn(
  "Images",
  "string",
  "Images of the containers in the pod template.",
);
/** Column of the selector, whose cell `labelSelector` or `labelMap` makes. */
export const selectorColumn: TableColumn = wideColumn("Selector", "string", "Labels by which the pods are found.");
/** Column of the ready pods, whose cell `readyOfDesired` makes. */
export const readyOfDesiredColumn: TableColumn = column(
  "Ready",
  "string",
  "Pods that are ready, of the number wanted.",
);

/** Returns the containers of the pod template. */
export function templateContainers(object: JsonObject): JsonArray {
  return listAt(object, "spec", "template", "spec", "containers");
}

/** Returns the cell of `readyOfDesiredColumn`. */
export function readyOfDesired(object: JsonObject): string {
  return `${integerAt(object, "status", "readyReplicas")}/${integerAt(object, "spec", "replicas")}`;
}
