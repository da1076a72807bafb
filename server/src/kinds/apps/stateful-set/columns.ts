import {
  ageColumn,
  containerImages,
  containerNames,
  nameColumn,
  objectAge,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";
import {
  containersColumn,
  imagesColumn,
  readyOfDesired,
  readyOfDesiredColumn,
  templateContainers,
} from "../../workload-columns.js";

/** Table columns of StatefulSet: the pods that are ready, of the number wanted. */
export const statefulSetColumns: TableDefinition = {
  columns: [nameColumn, readyOfDesiredColumn, ageColumn, containersColumn, imagesColumn],
  cells(object, context) {
    const containers = templateContainers(object);
    return [
      textAt(object, "metadata", "name"),
      readyOfDesired(object),
      objectAge(object, context),
      containerNames(containers),
      containerImages(containers),
    ];
  },
};
