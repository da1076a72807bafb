import type { JsonObject } from "@gatehouse/envelopes/json";
import { isSameJson } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { isSameMember, type Sameness } from "../../objects/is-same-by-schema.js";
import { metaOf } from "../../objects/object-meta.js";

/** The rules for metadata.generation of kinds that maintain it: one more with every change of the desired state. */
export interface GenerationStrategy {
  /** Sets the generation of a new object. */
  readonly begin: (object: JsonObject) => void;
  /** Reports whether two states of an object have the same desired state; the schema is that of the objects. */
  readonly isSameDesiredState: (schema: ObjectSchema, object: JsonObject, old: JsonObject) => boolean;
}

/** Returns a generation that begins with 1 and counts changes of the members at these dotted paths. */
export function generationOf(...paths: readonly string[]): GenerationStrategy {
  return countingChanges(paths, "semantic");
}

/**
 * Returns a generation as `generationOf` does, for kinds of which v1.29 distinguishes a list or map that was sent empty
 * from an absent one.
 */
export function exactGenerationOf(...paths: readonly string[]): GenerationStrategy {
  return countingChanges(paths, "exact");
}

/** The generation of most kinds: it counts changes of the spec. */
export const generationOfSpec: GenerationStrategy = generationOf("spec");

/** The generation of custom kinds: it counts every change outside of metadata. */
export const generationOfAll: GenerationStrategy = {
  begin: beginWithOne,
  // Without semantic equality, values are compared as JSON. Where status has a path of its own, it is the old one.
  isSameDesiredState: (_schema, object, old) => isSameJson(withoutMetadata(object), withoutMetadata(old)),
};

function countingChanges(dottedPaths: readonly string[], sameness: Sameness): GenerationStrategy {
  const paths = dottedPaths.map((path) => path.split("."));
  return {
    begin: beginWithOne,
    isSameDesiredState: (schema, object, old) =>
      paths.every((path) => isSameMember(schema, object, old, path, sameness)),
  };
}

function beginWithOne(object: JsonObject): void {
  metaOf(object).generation = 1;
}

function withoutMetadata({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}
