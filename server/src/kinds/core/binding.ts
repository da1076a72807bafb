import { type ResourceRow, virtualResource } from "../define-resource.js";

export const bindingRow: ResourceRow = { ...virtualResource, resource: "bindings", kind: "Binding", namespaced: true };
