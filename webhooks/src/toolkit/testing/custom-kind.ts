import { decodeJson } from "@gatehouse/envelopes/codec";
import { applyStructuralDefaults } from "@gatehouse/envelopes/defaults";
import { DecodeError, TooManyDefaultsError } from "@gatehouse/envelopes/errors";
import { isJsonObject, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { StatusError } from "@gatehouse/envelopes/status";
import {
  compileRootSchema,
  type ObserveRules,
  type StructuralFindings,
  StructuralKind,
  scalePathsOf,
} from "@gatehouse/policies/structural-schemas";
import type { KnownKind } from "./known-kind.js";
import { BadObjectError, prepareObject } from "./prepare-object.js";

/** A write of an object of a custom kind. */
export interface CustomWrite {
  readonly object: JsonObject;
  /** The object as it is stored; undefined for a new one. */
  readonly old: JsonObject | undefined;
  readonly subresource: string;
  /** True if mistakes in unchanged parts do not stop an update (feature gate CRDValidationRatcheting); default false. */
  readonly ratchets?: boolean | undefined;
}

/** Reports whether a document is a CustomResourceDefinition. */
export function isDefinition({ apiVersion, kind }: JsonObject): boolean {
  return kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1";
}

/**
 * Returns the kinds that a CustomResourceDefinition defines, one for each version that it serves. `observe` returns the
 * observers of the expressions of rules, by their paths in the definition. Throws BadObjectError for a document that has
 * other members than a definition.
 */
export function customKindsOf(document: JsonObject, observe?: ObserveRules): readonly CustomKind[] {
  const definition = prepareObject(document);
  return listAt(definition, "spec", "versions").flatMap((version, index) =>
    isJsonObject(version) && version["served"] === true ? [new CustomKind(definition, version, index, observe)] : [],
  );
}

/** Returns the rules of a definition that do not compile, each with its path. Throws BadObjectError as `customKindsOf` does. */
export function definitionProblems(document: JsonObject): readonly string[] {
  return customKindsOf(document).flatMap(({ problems }) => problems);
}

/**
 * A version of a kind that a CustomResourceDefinition defines. Objects are read and validated as a server does it: by the
 * structural schema and its rules. The definition itself is checked for its rules alone: that they compile, and may not
 * cost too much.
 */
export class CustomKind implements KnownKind {
  /** The name of the definition. */
  readonly definition: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** The problems for which no server takes the schema, each with its path in the definition. */
  readonly problems: readonly string[];
  readonly #schema: ObjectSchema;
  readonly #structural: StructuralKind;
  readonly #hasStatus: boolean;

  constructor(definition: JsonObject, version: JsonObject, index: number, observe?: ObserveRules) {
    const spec = objectAt(definition, "spec");
    const path = `spec.versions[${index}].schema.openAPIV3Schema`;
    const source = objectAt(version, "schema", "openAPIV3Schema");
    const group = textAt(spec, "group");
    this.definition = textAt(definition, "metadata", "name");
    this.apiVersion = `${group}/${textAt(version, "name")}`;
    this.kind = textAt(spec, "names", "kind");
    this.resource = textAt(spec, "names", "plural");
    this.namespaced = textAt(spec, "scope") !== "Cluster";
    this.#hasStatus = isJsonObject(objectAt(version, "subresources")["status"]);
    this.#schema = compileRootSchema(source);
    this.#structural = new StructuralKind({
      group,
      kind: this.kind,
      apiVersion: this.apiVersion,
      source,
      schema: this.#schema,
      scale: scalePathsOf(version),
      ...(observe && { observe: (below) => observe(`${path}.${below}`) }),
    });
    this.problems = [
      ...(isSet(version, "schema", "openAPIV3Schema") ? [] : [`${path}: is required`]),
      ...this.#structural
        .compileRules()
        .map(({ path: at, problem }) => `${at === "" ? path : `${path}.${at}`}: ${problem}`),
    ];
  }

  /**
   * Returns the object as a server reads it: without unknown members, with the defaults of the schema. Throws
   * BadObjectError for one that no server reads.
   */
  read(value: JsonObject): { readonly object: JsonObject; readonly unknownFields: readonly string[] } {
    try {
      const decoded = decodeJson(this.#schema, value);
      applyStructuralDefaults(this.#schema, decoded.object);
      return decoded;
    } catch (error) {
      if (error instanceof DecodeError || error instanceof TooManyDefaultsError) {
        throw new BadObjectError(`${this.kind}: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }

  /** Returns the object as it would be stored: the status is written by /status alone, if there is that subresource. */
  stored({ object, old, subresource }: CustomWrite): JsonObject {
    if (!this.#hasStatus) {
      return object;
    }
    const [base, ofStatus] = subresource === "status" ? [old ?? {}, object] : [object, old ?? {}];
    const { status: _status, ...rest } = base;
    return Object.hasOwn(ofStatus, "status") ? { ...rest, status: ofStatus["status"] as JsonObject } : rest;
  }

  /** Validates a write by the schema and its rules. Metadata is not validated. */
  validate({ object, old, subresource, ratchets = false }: CustomWrite): StructuralFindings {
    const write = { old, isStatus: subresource === "status", metaErrors: [], ratchets };
    return finishSteps(this.#structural.validate(object, write));
  }

  /** Returns the error by which a server refuses an object with errors. */
  refusal(object: JsonObject, { errors }: StructuralFindings): StatusError {
    return this.#structural.refusal(object, errors);
  }
}
