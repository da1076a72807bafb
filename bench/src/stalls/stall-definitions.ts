import { definitionsPath } from "../custom-definitions.js";

/** A definition of a custom kind that is created before anything is measured. */
export interface StallDefinition {
  readonly path: string;
  readonly json: string;
}

const group = "stall.example.com";

/** The definition of a namespaced kind: `spec` is the schema of its `spec`, `version` what its version states besides. */
export function stallDefinition(kind: string, spec: object, version: object = {}): StallDefinition {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return {
    path: definitionsPath,
    json: JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural, singular, kind, listKind: `${kind}List` },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      },
    }),
  };
}

/** Path of the objects of such a kind in a namespace. */
export function stallPath(kind: string, namespace: string): string {
  return `/apis/${group}/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
}

/** An object of such a kind; `spec` is the JSON of its members. */
export function stallObject(kind: string, name: string, spec: string): string {
  return `{"apiVersion":"${group}/v1","kind":"${kind}","metadata":{"name":"${name}"},"spec":{${spec}}}`;
}
