import type { DefaultingFunctions } from "@gatehouse/envelopes/defaults";
import type { JsonArray, JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import type { FieldError } from "@gatehouse/envelopes/status";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import type { Conversion, ConvertMembers } from "../conversion/convert.js";
import { defineResource, statusSubresource } from "../registry/define-resource.js";
import { storageVersionHash } from "../registry/storage-version-hash.js";
import { generationOfSpec } from "../registry/strategies/generation-strategy.js";
import type { KindStrategy } from "../registry/strategies/resource-strategy.js";
import type { StrategyContext } from "../registry/strategies/strategy-context.js";
import { SchemaRules } from "../structural-schemas/schema-rules.js";
import { printerTable } from "../tables/printer-columns.js";
import { statesRules } from "../typed-kinds/states-rules.js";
import { typedSchemas } from "../typed-kinds/typed-schema.js";
import type { ApiResource } from "./api-group.js";
import type { Column, ResourceShape } from "./resource-shape.js";

/** A version of a typed resource. */
export interface TypedVersion {
  readonly name: string;
  /**
   * The OpenAPI schema of the members of an object, in the order in which they are written. Objects of it are always
   * written; members that are not required are left out when they are empty; `nullable` distinguishes absent from empty.
   * Objects that are written in this version obey its rules (`pattern`, `maximum`, `enum`, `x-kubernetes-validations`, ...)
   * as those of a CustomResourceDefinition. OpenAPI documents show the rules, too, and in version 2 those of them that custom
   * kinds show there.
   */
  readonly schema: JsonObject;
  readonly columns?: readonly Column[];
  /** Fills in what is absent and depends on other members. Changes the object; called before `toHub`. */
  readonly setDefaults?: (object: JsonObject) => void;
  /** Makes the members of the hub of those of this version; absent where both are the same. Does not change its argument. */
  readonly toHub?: ConvertMembers;
  /** Makes the members of this version of those of the hub; absent where both are the same. Does not change its argument. */
  readonly fromHub?: ConvertMembers;
}

/** A resource with the wire behaviour of kinds that are compiled in, in several versions. `T` is the type of the hub. */
export interface TypedResource<T extends object> extends Omit<ResourceShape, "version" | "schema" | "columns"> {
  /** The versions, best first. They are converted by way of a common form, the hub, which need not be a version. */
  readonly versions: readonly TypedVersion[];
  /** The name of the version that is stored. */
  readonly storedVersion: string;
  /** The package of the definitions in OpenAPI documents; that of the group, backwards, when absent. */
  readonly definitionPackage?: string;
  /** True if the status is written through `/status` only. */
  readonly hasStatus?: boolean;
  /** True if `metadata.generation` counts the changes of the spec. */
  readonly hasGeneration?: boolean;
  /**
   * Returns the errors of an object that the schema of its version allows; `old` is undefined for a new one. Both are hubs,
   * and must not be changed.
   */
  readonly validate?: (object: T, old: T | undefined, context: StrategyContext) => readonly FieldError[];
  /** The rules by verb that depart from those of any kind. */
  readonly strategy?: Omit<KindStrategy, "validation">;
}

/**
 * Declares a resource with the wire behaviour of kinds that are compiled in: unknown members are dropped, structs are
 * always written, strategic merge patches are understood. Returns it once for each version, for `resources` of its group.
 * Throws a TypeError for a schema that no such kind can have, and for a rule in CEL that no server would accept.
 *
 * @example
 * ```ts
 * const flunders = defineTypedResource<Flunder>({
 *   group: "wardle.example.com",
 *   resource: "flunders",
 *   kind: "Flunder",
 *   namespaced: true,
 *   storedVersion: "v1alpha1",
 *   versions: [
 *     { name: "v1beta1", schema: v1beta1 },
 *     { name: "v1alpha1", schema: v1alpha1, toHub: ofReference, fromHub: toReference },
 *   ],
 * });
 * ```
 */
export function defineTypedResource<T extends object = JsonObject>(resource: TypedResource<T>): readonly ApiResource[] {
  const stored = resource.versions.find(({ name }) => name === resource.storedVersion);
  if (stored === undefined) {
    throw new TypeError(`${resource.kind} has no version ${resource.storedVersion}, which is to be stored`);
  }
  return resource.versions.map((version) => inVersion(resource as TypedResource<JsonObject>, version, stored));
}

function inVersion(resource: TypedResource<JsonObject>, version: TypedVersion, stored: TypedVersion): ApiResource {
  const { group, kind, resource: plural, namespaced, hasStatus = false, hasGeneration = false } = resource;
  const definitionPackage = resource.definitionPackage ?? group.split(".").reverse().join(".");
  const schemas = typedSchemas({ group, version: version.name, kind, definitionPackage }, version.schema);
  const definition = defineResource(group, version.name, {
    resource: plural,
    kind,
    namespaced,
    singular: resource.singular ?? kind.toLowerCase(),
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    subresources: hasStatus ? [statusSubresource] : [],
    storage: { version: stored.name, prefix: `${group}/${plural}` },
    storageVersionHash: storageVersionHash(group, stored.name, kind),
    conversion: version === stored ? undefined : conversionBetween(version, stored),
    typedSchemas: schemas,
    fields: {},
    ...(version.columns && { table: printerTable(version.columns as unknown as JsonArray) }),
    strategy: {
      ...(hasGeneration && { generation: generationOfSpec }),
      ...resource.strategy,
      metadata: { knownFinalizersOnly: false, rechecks: ["change"], ...resource.strategy?.metadata },
      update: { allowUnconditionalUpdate: false, ...resource.strategy?.update },
      ...validationOf(resource, version),
    },
  });
  return { ...definition, defaulting: { [schemas.kind.schema.name]: defaultsOf(version) } };
}

const same: ConvertMembers = (object) => object;

function conversionBetween(served: TypedVersion, stored: TypedVersion): Conversion {
  return {
    toStored: (object) => (stored.fromHub ?? same)((served.toHub ?? same)(object)),
    fromStored: (object) => (served.fromHub ?? same)((stored.toHub ?? same)(object)),
  };
}

/** Returns the defaults of a version. What the hub has no place for is dropped with them, as by a conversion in Go. */
function defaultsOf({ setDefaults, toHub, fromHub }: TypedVersion): DefaultingFunctions[string] {
  return (object) => {
    setDefaults?.(object);
    if (toHub !== undefined && fromHub !== undefined) {
      const { kind: _kind, apiVersion: _apiVersion, ...members } = object;
      const passed = fromHub(toHub(members));
      for (const name of Object.keys(members)) {
        if (passed[name] === undefined) {
          delete object[name];
        }
      }
      Object.assign(object, passed);
    }
  };
}

function validationOf(resource: TypedResource<JsonObject>, version: TypedVersion): Pick<KindStrategy, "validation"> {
  const { group, kind, validate } = resource;
  const { toHub = same, schema: source } = version;
  const ofHub =
    validate &&
    ((object: JsonObject, old: JsonObject | undefined, context: StrategyContext) =>
      validate(toHub(object), old && toHub(old), context));
  if (statesRules(source)) {
    const apiVersion = apiVersionOf({ group, version: version.name });
    const schema = compileRootSchema(source);
    const rules = new SchemaRules({
      ...{ group, kind, apiVersion, source: () => source, schema: () => schema, scale: undefined },
      ...(ofHub && { validate: ofHub }),
    });
    rules.checkExpressions();
    return {
      validation: {
        *create(object, errors, context) {
          errors.add(yield* rules.errors(object, undefined, [], context));
        },
        *update(object, old, errors, context) {
          errors.add(yield* rules.errors(object, old, [], context));
        },
      },
    };
  }
  return ofHub === undefined
    ? {}
    : {
        validation: {
          create: (object, errors, context) => errors.add(ofHub(object, undefined, context)),
          update: (object, old, errors, context) => errors.add(ofHub(object, old, context)),
        },
      };
}
