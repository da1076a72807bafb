// Definitions of custom kinds: those that all sequences share, and the one that a sequence has for itself.

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const integer = { type: "integer" };
const text = { type: "string", maxLength: 3 };
const object = (properties) => ({ type: "object", properties });

/** Returns a definition; `versions` are drawn or written by the caller. */
export function definition(group, kind, versions, more = {}) {
  const singular = kind.toLowerCase();
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: `${singular}s`, singular, kind, listKind: `${kind}List` },
      versions,
      ...more,
    },
  };
}

/** Returns a version of a definition. */
export function version(name, spec, more = {}) {
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: {
      openAPIV3Schema: object({ spec: object(spec), status: object({ replicas: integer, selector: text, text }) }),
    },
    ...more,
  };
}

const scale = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};
const shared = [
  definition("life.example.com", "Widget", [
    version("v1", { replicas: integer, text }, { subresources: { status: {}, scale } }),
    version("v2", { replicas: integer, size: integer }),
  ]),
  definition("life.example.com", "Gadget", [version("v1", { text })], { scope: "Cluster" }),
];

/** Objects that are there before the first sequence, and the paths that are served once they are. */
export const prepared = shared.map((body) => ({ path: collection, body }));
export const servedPaths = [
  "/apis/life.example.com/v1/widgets",
  "/apis/life.example.com/v2/widgets",
  "/apis/life.example.com/v1/gadgets",
];
