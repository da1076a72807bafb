import {
  column,
  containerImages,
  containerNames,
  labelMap,
  nameColumn,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of PodTemplate: containers, images and labels of the template; no age, as in v1.29. */
export const podTemplateColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Containers", "string", "Names of the containers in the template."),
    column("Images", "string", "Images of the containers in the template."),
    column("Pod Labels", "string", "Labels that pods made from the template carry."),
  ],
  cells(object) {
    const containers = listAt(object, "template", "spec", "containers");
    return [
      textAt(object, "metadata", "name"),
      containerNames(containers),
      containerImages(containers),
      labelMap(objectAt(object, "template", "metadata", "labels")),
    ];
  },
};
