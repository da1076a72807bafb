import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of Binding, which puts a pod on a node, as `pods/binding` does. */
export const bindingDefinition: KindDefinition = {
  ...virtualResource,
  resource: "bindings",
  kind: "Binding",
  namespaced: true,
};
