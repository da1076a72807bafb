import type { SelectableField } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes/json";

/** The selectable fields of events, which are stored in the form of the core group whichever API they came by. */
export const eventFields: Readonly<Record<string, SelectableField>> = {
  "involvedObject.kind": (event) => textAt(event, "involvedObject", "kind"),
  "involvedObject.namespace": (event) => textAt(event, "involvedObject", "namespace"),
  "involvedObject.name": (event) => textAt(event, "involvedObject", "name"),
  "involvedObject.uid": (event) => textAt(event, "involvedObject", "uid"),
  "involvedObject.apiVersion": (event) => textAt(event, "involvedObject", "apiVersion"),
  "involvedObject.resourceVersion": (event) => textAt(event, "involvedObject", "resourceVersion"),
  "involvedObject.fieldPath": (event) => textAt(event, "involvedObject", "fieldPath"),
  reason: (event) => textAt(event, "reason"),
  reportingComponent: (event) => textAt(event, "reportingComponent"),
  source: (event) => textAt(event, "source", "component") || textAt(event, "reportingComponent"),
  type: (event) => textAt(event, "type"),
};

/** The names of selectable fields in `events.k8s.io/v1`, each with the name in the core group. */
export const eventFieldLabels: Readonly<Record<string, string>> = {
  reason: "reason",
  "regarding.kind": "involvedObject.kind",
  "regarding.namespace": "involvedObject.namespace",
  "regarding.name": "involvedObject.name",
  "regarding.uid": "involvedObject.uid",
  "regarding.apiVersion": "involvedObject.apiVersion",
  "regarding.resourceVersion": "involvedObject.resourceVersion",
  "regarding.fieldPath": "involvedObject.fieldPath",
  reportingController: "reportingComponent",
  type: "type",
};
