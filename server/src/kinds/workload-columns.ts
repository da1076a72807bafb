import { column, type TableColumn, wideColumn } from "@gatehouse/apiserver/tables";
import { integerAt, type JsonArray, type JsonObject, listAt } from "@gatehouse/envelopes";

/** Columns that kinds with a pod template share. */
export const containersColumn: TableColumn = wideColumn(
  "Containers",
  "string",
  "Names of the containers in the pod template.",
);
/** Of the cell that `containerImages` makes. */
export const imagesColumn: TableColumn = wideColumn(
  "Images",
  "string",
  "Images of the containers in the pod template.",
);
/** Of the cell that `labelSelector` makes, or `labelMap`. */
export const selectorColumn: TableColumn = wideColumn("Selector", "string", "Labels by which the pods are found.");
/** Of the cell that `readyOfDesired` makes. */
export const readyOfDesiredColumn: TableColumn = column(
  "Ready",
  "string",
  "Pods that are ready, of the number wanted.",
);

/** The containers of the pod template. */
export function templateContainers(object: JsonObject): JsonArray {
  return listAt(object, "spec", "template", "spec", "containers");
}

/** The cell of `readyOfDesiredColumn`. */
export function readyOfDesired(object: JsonObject): string {
  return `${integerAt(object, "status", "readyReplicas")}/${integerAt(object, "spec", "replicas")}`;
}
