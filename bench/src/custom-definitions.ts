/** Path of the definitions of custom resources. */
export const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The group of the nth definition: some share a group, as those of one project do. */
export function groupOf(index: number): string {
  return `g${index % 50}.bench.example.com`;
}

/** The plural name of the nth definition. */
export function pluralOf(index: number): string {
  return `things${index}`;
}

/** A definition with about `fields` fields in its schema, named and described as those of real projects are. */
export function definitionJson(index: number, fields: number): string {
  const group = groupOf(index);
  const plural = pluralOf(index);
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { "app.kubernetes.io/part-of": "bench" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind: `Thing${index}`, shortNames: [`th${index}`] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
          schema: {
            openAPIV3Schema: {
              type: "object",
              description: `A thing of kind ${index}, as its controller wants it to be.`,
              properties: { spec: objectSchema(fields - 10), status: objectSchema(10) },
            },
          },
        },
      ],
    },
  });
}

const description = "What this field is for, in a sentence of the length that such sentences have in real definitions.";

/** Objects of ten fields in objects of ten fields. */
function objectSchema(fields: number): object {
  const properties: Record<string, object> = {};
  for (let left = fields, index = 0; left > 0; index++) {
    if (left >= 20 && index % 2 === 0) {
      properties[`part${index}`] = { description, ...objectSchema(10) };
      left -= 11;
    } else {
      properties[`field${index}`] = scalars[index % scalars.length] as object;
      left--;
    }
  }
  return { type: "object", properties };
}

const scalars = [
  { type: "string", description },
  { type: "integer", format: "int32", minimum: 0, description },
  { type: "boolean", default: false, description },
  { type: "string", enum: ["Always", "Never", "IfNotPresent"], description },
  { type: "array", items: { type: "string" }, description },
];
