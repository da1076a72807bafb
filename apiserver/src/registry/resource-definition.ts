import type { FeatureName } from "@gatehouse/envelopes/features";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { Conversion } from "../conversion/convert.js";
import type { OlderVersion } from "../conversion/older-version.js";
import type { ReadContext } from "../forms/at-rest/value-format-options.js";
import type { FormAtRest } from "../forms/at-rest/version-at-rest.js";
import type { ResourceSchemas } from "../forms/resource-schemas.js";
import type { UnstructuredKind } from "../forms/unstructured-kind.js";
import type { TableDefinition } from "../tables/table-definition.js";
import type { Deprecation } from "./deprecation.js";
import type { ScaleView } from "./scale-view.js";
import type { SteppedValidation } from "./strategies/kind-validation.js";
import type { ResourceStrategy } from "./strategies/resource-strategy.js";

/**
 * A resource as one API group version serves it: its names, what discovery says of it, where it is stored, and what
 * tables and selectors show. The rules of its verbs are its strategy; the shape of its kind is its schema. Definitions
 * of built-in kinds are tables of this (`kinds/`), custom kinds get theirs from their CustomResourceDefinition;
 * `defineResource` completes both. Immutable.
 */
export interface ResourceDefinition {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The resource name as in paths: plural, lower case. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** The kind of a list of them; `<kind>List` when absent. */
  readonly listKind?: string;
  readonly namespaced: boolean;

  readonly shortNames: readonly string[];
  /** Sets of resources that clients can ask for by one name (`kubectl get all`). */
  readonly categories: readonly string[];
  /** The verbs of the resource, in the order of discovery. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** True if /status is among the subresources. */
  readonly hasStatus: boolean;
  /** The hash that discovery announces, so that clients can tell a change of storage version; empty when not stored. */
  readonly storageVersionHash: string;
  /** The deprecation of this version; derived from the schema when absent. */
  readonly deprecation?: Deprecation | undefined;
  /** True if the resource is served unless `--runtime-config` says otherwise. */
  readonly servedByDefault: boolean;
  /** The feature that must be on for the resource to be served at all. */
  readonly gate: FeatureName | undefined;

  /** The place of the stored objects; undefined for resources that are operations or computed on reading. */
  readonly storage: StorageLocation | undefined;
  /** The conversion between this version and the stored one; undefined where they are the same. */
  readonly conversion: Conversion | undefined;
  /** The schemas and the conversion of a custom kind; absent for kinds of the IDL, whose schemas are compiled in. */
  readonly unstructured?: UnstructuredKind;
  /** The schemas of a kind that is declared in code, and behaves as those of the IDL. */
  readonly typedSchemas?: ResourceSchemas;
  /** True if objects are dropped after the event time-to-live of the server (`--event-ttl`). */
  readonly expires: boolean;

  /** The columns and rows of tables of the objects. */
  readonly table: TableDefinition;
  /** Annotations that only carry what the stored version has no member for: tables and bare metadata lack them. */
  readonly hiddenAnnotations: readonly string[];
  /**
   * The labels that a field selector may use in this version, each with the name of the selectable field behind it. The
   * two differ where an API version calls a field differently from the stored version.
   */
  readonly fieldLabels: ReadonlyMap<string, string>;
  /** The values that field selectors are matched against, by name, taken from an object as it is stored. */
  readonly selectableFields: ReadonlyMap<string, SelectableField>;
  /** The mapping of objects to /scale; absent: spec.replicas, status.replicas and spec.selector. */
  readonly scale?: ScaleView;

  /** The rules of its verbs that write. */
  readonly strategy: ResourceStrategy;
  /** The facts that a CustomResourceDefinition states; absent for built-in resources. */
  readonly custom?: CustomResourceFacts;
}

/** The facts about a custom resource beyond those that every resource has. */
export interface CustomResourceFacts {
  /** Set while the definition is being deleted: no objects are created, and discovery says so. */
  readonly isTerminating: boolean;
  /**
   * The schema of this version as the definition states it, for documents of a version of OpenAPI; undefined where they show
   * that of any object. Read anew with every call.
   */
  readonly openAPIV3Schema: (version: 2 | 3) => JsonObject | undefined;
  /** The validation rules, in the place of those of the strategy: clients make them, so that they may take long. */
  readonly validation: SteppedValidation;
}

/** The operations on a resource, as discovery and authorization name them. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A part or an operation of an object with a path of its own: `/status`, `/exec`. */
export interface Subresource {
  readonly name: string;
  /** The kind that is read and written; undefined when it is the kind of the resource itself. */
  readonly kind: GroupVersionKind | undefined;
  readonly verbs: readonly Verb[];
  /**
   * The handlers of its verbs: those of the object itself, which show or write part of it; those of any scale; or
   * handlers of the kind's own. Absent where this server has none: discovery leaves such subresources out, unless requests
   * are passed on.
   */
  readonly handledBy?: "object" | "scale" | "kind";
  /** Set where requests of any method are passed on to something else (exec, proxy): the verb is `connect`. */
  readonly connect?: { readonly takesPath: boolean };
  /** Set where the object is not shown as a table: clients that take nothing else get 406, others get the object. */
  readonly hasNoTable?: true;
  /** True if a read answers with text and not with an object (logs). */
  readonly answersText?: true;
  /** The kind that a create answers with, when it is not the kind itself. */
  readonly response?: GroupVersionKind;
  /** The resource that a refusal names when the object is not there; the resource itself when absent. */
  readonly missingAs?: GroupResource;
}

/** The form and the key prefix under which the objects of a resource are stored. */
export interface StorageLocation {
  /** The group version in which the server holds the objects, and in which they are stored unless `atRest` differs. */
  readonly group: string;
  readonly version: string;
  /** Keys are `/registry/<prefix>/[<namespace>/]<name>`, as kube-apiserver lays them out, without slashes around it. */
  readonly prefix: string;
  /** The other group versions in which values may be stored: those served besides, and those of earlier releases. */
  readonly olderVersions?: readonly OlderVersion[] | undefined;
  /** Fills in members of a read object, in place, that depend on others and that earlier releases did not store. */
  readonly completeOnRead?: ((object: JsonObject, context: ReadContext) => void) | undefined;
  /** The form of values in stores that kube-apiserver shares, where v1.29 stores another than this version. */
  readonly atRest?: FormAtRest | undefined;
}

/** Returns a selectable field of a stored object as text. */
export type SelectableField = (stored: JsonObject) => string;
