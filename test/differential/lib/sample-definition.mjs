/** A schema of objects that keep every member. */
export const openSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** Returns a definition of `<plural>.<group>` with the versions v1, v2, ..., of which the first is stored. */
export function sampleDefinition(group, plural, kind, versions) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: versions.map(({ schema, ...more }, i) => ({
        name: `v${i + 1}`,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: schema },
        ...more,
      })),
    },
  };
}
