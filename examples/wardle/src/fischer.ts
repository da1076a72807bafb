import { defineTypedResource } from "@gatehouse/apiserver";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";

/** Fischers, in no namespace. Each forbids some names of flunders. */
export const fischers = defineTypedResource({
  group: "wardle.example.com",
  definitionPackage: "k8s.io.sample-apiserver.pkg.apis.wardle",
  resource: "fischers",
  kind: "Fischer",
  namespaced: false,
  storedVersion: "v1alpha1",
  strategy: { metadata: { validateName: validatePathSegmentName } },
  versions: [
    {
      name: "v1alpha1",
      schema: {
        type: "object",
        properties: {
          disallowedFlunders: {
            type: "array",
            items: { type: "string" },
            description: "DisallowedFlunders holds a list of Flunder.Names that are disallowed.",
          },
        },
      },
    },
  ],
});
