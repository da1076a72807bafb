import type { JsonObject } from "@gatehouse/envelopes";
import { integerAt, listAt, objectAt, textAt, valueAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { labelMap, labelSelector, selectorText } from "./labels.js";
import { ageColumn, column, nameColumn, type TableDefinition, wideColumn } from "./table-definition.js";
import { containerImages, containerNames } from "./text-lists.js";

const containersColumn = wideColumn("Containers", "string", "Names of the containers in the pod template.");
const imagesColumn = wideColumn("Images", "string", "Images of the containers in the pod template.");
const selectorColumn = wideColumn("Selector", "string", "Labels by which the pods are found.");
const readyOfDesiredColumn = column("Ready", "string", "Pods that are ready, of the number wanted.");

function templateContainers(object: JsonObject) {
  return listAt(object, "spec", "template", "spec", "containers");
}

function readyOfDesired(object: JsonObject): string {
  return `${integerAt(object, "status", "readyReplicas")}/${integerAt(object, "spec", "replicas")}`;
}

const deployment: TableDefinition = {
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

const replicaSet: TableDefinition = {
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

const statefulSet: TableDefinition = {
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

const daemonSet: TableDefinition = {
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

const controllerRevision: TableDefinition = {
  columns: [
    nameColumn,
    column("Controller", "string", "The object that manages the revision."),
    column("Revision", "string", "Number of the revision."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      controllerOwner(object),
      integerAt(object, "revision"),
      objectAge(object, context),
    ];
  },
};

/** `daemonset.apps/name` of the managing owner. */
function controllerOwner(object: JsonObject): string {
  const owner = listAt(object, "metadata", "ownerReferences").find(
    (reference) => valueAt(reference, "controller") === true,
  );
  if (owner === undefined) {
    return "<none>";
  }
  const apiVersion = textAt(owner, "apiVersion");
  const group = apiVersion.includes("/") ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
  const kind = `${textAt(owner, "kind")}${group}`.toLowerCase();
  return kind === "" ? textAt(owner, "name") : `${kind}/${textAt(owner, "name")}`;
}

export const appsTables: Readonly<Record<string, TableDefinition>> = {
  ControllerRevision: controllerRevision,
  DaemonSet: daemonSet,
  Deployment: deployment,
  ReplicaSet: replicaSet,
  StatefulSet: statefulSet,
};
