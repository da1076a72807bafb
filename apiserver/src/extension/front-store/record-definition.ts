import type { JsonObject } from "@gatehouse/envelopes/json";
import { type Backing, backingOf } from "./backing.js";
import { revisionAnnotation } from "./record.js";

/**
 * Returns the CustomResourceDefinition whose custom resources hold the objects of a store. Values are texts: an API server
 * may write an object in another way than it has read it (the order of fields, the digits of numbers), but not a text.
 */
export function recordDefinition(store: string): JsonObject {
  const { group, version, resource, kind, definition }: Backing = backingOf("customresources", store);
  const texts = (description: string): JsonObject => ({
    type: "object",
    description,
    additionalProperties: { type: "string" },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: definition ?? "" },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: resource, singular: "record", kind, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              description: `The head of the store ${store}, or the object that it has at one key. Written by the server whose objects they are, and by nobody else.`,
              properties: {
                data: texts("The fields that are texts."),
                binaryData: texts("The fields that are not, in base64."),
              },
            },
          },
          additionalPrinterColumns: [
            { name: "Key", type: "string", jsonPath: ".data.key" },
            {
              name: "Revision",
              type: "string",
              jsonPath: `.metadata.annotations.${revisionAnnotation.replaceAll(".", "\\.")}`,
            },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
        },
      ],
    },
  };
}
