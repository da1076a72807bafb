import { defineResource } from "@gatehouse/apiserver";
import { fieldError } from "@gatehouse/envelopes/status";

/** A fish. It is stored; its status is written by those who feed it. */
export interface Flunder {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: { readonly species: "Plaice" | "Sole"; readonly grams: number; readonly swimsWith?: string };
  readonly status?: { readonly phase?: string };
}

const spec = {
  type: "object",
  description: "The fish as it is to be.",
  required: ["grams"],
  properties: {
    species: { type: "string", description: "The sort of fish.", enum: ["Plaice", "Sole"], default: "Plaice" },
    grams: { type: "integer", minimum: 1, description: "The weight in grams." },
    swimsWith: { type: "string", description: "The name of another fish." },
  },
};
const status = { type: "object", properties: { phase: { type: "string", description: "Hungry or Fed." } } };

/** The flunders, as they are served. */
export const flunders = defineResource<Flunder>({
  group: "wardle.example.com",
  version: "v1alpha1",
  resource: "flunders",
  kind: "Flunder",
  namespaced: true,
  shortNames: ["fl"],
  schema: { type: "object", required: ["spec"], properties: { spec, status } },
  columns: [
    { name: "Species", type: "string", jsonPath: ".spec.species" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Grams", type: "integer", jsonPath: ".spec.grams", priority: 1 },
  ],
  hasStatus: true,
  validate: ({ metadata: { name }, spec: { swimsWith } }) =>
    swimsWith === name ? [fieldError.invalid("spec.swimsWith", swimsWith, "must be another fish")] : [],
});
