import type { FeatureName } from "@gatehouse/envelopes/features";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { GroupVersionKind, KindSchema, ObjectSchema } from "@gatehouse/envelopes/schema";
import type { FieldError } from "@gatehouse/envelopes/status";
import type { ValidateName } from "@gatehouse/envelopes/validation";
import type { AdmissionAttributes } from "../admission/attributes.js";
import type { Conversion } from "../conversion/convert.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";
import type { TableDefinition } from "../tables/table-definition.js";
import type { FieldErrors, MetadataCheck } from "../validation/field-errors.js";
import type { Deprecation } from "./deprecation.js";
import type { Privileges } from "./privileges.js";

/**
 * A resource as one API group version serves it: everything about it that is not the shape of its kind. Built-in
 * resources are tables of these (`kinds/`), custom resources get theirs from their definition. Immutable.
 *
 * The verb handlers follow the generic rules below, and a definition tells where its resource departs from them:
 * - create: status is dropped, generation is 1 where there is one;
 * - update: status is kept as it was, generation grows when the desired state changes;
 * - update of /status: everything but status and metadata is kept as it was;
 * - whatever only the server writes (uid, creation and deletion times) is never taken from the client.
 */
export interface ResourceDefinition extends ResourceStrategy {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The resource name as in paths: plural, lower case. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** The kind of a list of them; `<kind>List` when absent. */
  readonly listKind?: string;
  /** The shapes of objects and lists; for built-in kinds found in the registry when absent. */
  readonly schemas?: ResourceSchemas;
  /** The deprecation of this version; derived from the schema when absent. */
  readonly deprecation?: Deprecation | undefined;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** Sets of resources that clients can ask for by one name (`kubectl get all`). */
  readonly categories: readonly string[];
  /** The verbs of the resource, in the order of discovery. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** The place of the stored objects; undefined for resources that are operations or computed on reading. */
  readonly storage: StorageLocation | undefined;
  /** The hash that discovery announces, so that clients can tell a change of storage version; empty when not stored. */
  readonly storageVersionHash: string;
  /** True if the resource is served unless `--runtime-config` says otherwise. */
  readonly servedByDefault: boolean;
  /** The feature that must be on for the resource to be served at all. */
  readonly gate: FeatureName | undefined;
  /** The rule for names of objects, checked on create; a check of its own where no shared rule fits. */
  readonly nameFormat: NameFormat | ValidateName;
  /**
   * The labels that a field selector may use in this version, each with the name of the selectable field behind it. The
   * two differ where an API version calls a field differently from the stored version.
   */
  readonly fieldLabels: ReadonlyMap<string, string>;
  /** The values that field selectors are matched against, by name, taken from an object as it is stored. */
  readonly selectableFields: ReadonlyMap<string, SelectableField>;
  /** True if PUT to a name that does not exist creates the object. */
  readonly allowCreateOnUpdate: boolean;
  /** True if PUT without a resourceVersion overwrites the current object. */
  readonly allowUnconditionalUpdate: boolean;
  readonly hasStatus: boolean;
  /** The fate of a status sent on create: `kept` where a creator may set it, as nodes describe themselves. */
  readonly statusOnCreate: "dropped" | "kept";
  /**
   * The fate of labels, annotations, finalizers and owner references sent with an update of /status; `allKept` where
   * the rest of metadata is ignored, too.
   */
  readonly metadataOnStatusUpdate: "written" | "kept" | "allKept";
  /** `written` where an update of /status may set members of features that are off. */
  readonly disabledFieldsOnStatusUpdate?: "written";
  /**
   * The members that a write through a path resets, whatever the client has sent, so that no manager comes to own them:
   * dotted paths by subresource, the object itself under "". By default status is writable through /status only, and
   * everything else only through the object.
   */
  readonly resetFields: Readonly<Record<string, readonly string[]>>;
  /** True if metadata.generation is maintained: 1 at first, one more with every change of the desired state. */
  readonly hasGeneration: boolean;
  /** `asSent` where a new object keeps the generation that its creator has sent, or has none. */
  readonly firstGeneration?: "asSent";
  /** Makes the name of an object from its `generateName`; absent: the prefix with random letters at its end. */
  readonly nameFromPrefix?: (prefix: string) => string;
  /** The propagation policy of deletions that do not state one. */
  readonly defaultPropagation: "Background" | "Orphan";
  /** True if DELETE answers with the last state of the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** True if objects are dropped after the event time-to-live of the server (`--event-ttl`). */
  readonly expires: boolean;
  /** The columns and rows of tables of the objects. */
  readonly table: TableDefinition;
  /** Annotations that only carry what the stored version has no member for: tables and bare metadata lack them. */
  readonly hiddenAnnotations: readonly string[];
  /** The conversion between this version and the stored one; undefined where they are the same. */
  readonly conversion: Conversion | undefined;
  /** The form in which custom kinds are read and stored, which is more than a conversion of members. */
  readonly storedForm?: StoredForm;
  /** The mapping of objects to /scale; absent: spec.replicas, status.replicas and spec.selector. */
  readonly scale?: ScaleView;
  /** The facts that a CustomResourceDefinition states; absent for built-in resources. */
  readonly custom?: CustomResourceFacts;
}

/** The facts about a custom resource beyond those that every resource has. */
export interface CustomResourceFacts {
  /** Set while the definition is being deleted: no objects are created, and discovery says so. */
  readonly isTerminating: boolean;
  /** The schema of this version as the definition states it, for OpenAPI documents. Read anew with every call. */
  readonly openAPIV3Schema: () => JsonObject;
}

/**
 * The departures of a resource from the generic rules. All hooks work on plain decoded objects of the served version,
 * may change the first argument in place, and must not change `old`. They run once per attempt of a compare-and-set
 * loop and therefore depend on nothing but their arguments.
 */
export interface ResourceStrategy {
  /**
   * Checks what needs waiting or other parts of the server. Called with every attempt to create or update the object or
   * one of its subresources, after mutating admission and before any other step. Throws a StatusError to refuse.
   */
  readonly guard?: (attributes: AdmissionAttributes, privileges: Privileges) => Promise<void> | void;
  /** Called after the generic rule for create, before validation. The name and uid are already set. */
  readonly prepareForCreate?: (object: JsonObject, context: StrategyContext) => void;
  /**
   * Called after the generic rule for update of the object, or of a subresource other than /status, before validation.
   */
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  /** Called after the generic rule for update of /status, before validation. */
  readonly prepareForStatusUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  /**
   * Marks an object that is deleted by its name for the first time, in the place of the rules for any kind: it stays until
   * a finalizer that is set here is taken off. `now` as in metadata.
   */
  readonly beginDeletion?: (object: JsonObject, now: string) => void;
  /** Called when the object is marked as terminating (or marked again), in the write that does so. */
  readonly prepareForDeletion?: (object: JsonObject, context: StrategyContext) => void;
  /**
   * The members whose changes metadata.generation counts, as dotted paths: `["spec"]` when absent. For custom kinds it
   * counts every change outside of metadata.
   */
  readonly desiredState?: readonly string[];
  /** Set where v1.29 distinguishes a list or map of the desired state that was sent empty from an absent one. */
  readonly countsEmptied?: boolean;
  /**
   * Returns the grace period of a deletion in seconds; 0 deletes at once. `requested` is the client's value. Resources
   * without this hook have no graceful deletion.
   */
  readonly gracePeriodSeconds?: (object: JsonObject, requested: number | undefined) => number;
  /**
   * Returns finalizers that the kind keeps outside of metadata; the object is removed only when there are none of
   * either.
   */
  readonly ownFinalizers?: (object: JsonObject) => readonly string[];
  /** `any` where a finalizer without a domain may have any name; elsewhere it must be one of the control plane's. */
  readonly finalizerNames?: "any";
  /**
   * The second checks of an update's metadata: v1.29 repeats them for this kind after the generic ones and lists the
   * errors again. `["change", "object"]` when absent; `inValidation` where the rules of the kind run them, since other
   * checks come first.
   */
  readonly metadataRechecks?: readonly MetadataCheck[] | "inValidation";
  /**
   * The time at which the metadata of a new object are checked, if not before the validation of the kind: among them, or
   * after them and only if they have found no error.
   */
  readonly metadataOnCreate?: "inValidation" | "afterValidation";
  /** The validation rules of the kind. Absent for resources that are not stored. */
  readonly validation?: KindValidation;
  /** The validation rules of kinds whose validation is made by clients, so that it may take long. */
  readonly steppedValidation?: SteppedValidation;
  /**
   * Returns warnings about an accepted object that had better be changed. Called after validation; `old` is undefined
   * on create.
   */
  readonly warnings?: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
  /** The warning for a deletion that states no propagation policy. */
  readonly defaultDeletionWarning?: string;
}

/**
 * The validation rules of a kind beyond metadata, all of them, in v1.29's order and words. Validation sees decoded and
 * defaulted objects of the served version, changes nothing, and adds what is wrong to `errors`.
 */
export interface KindValidation {
  /** Returns the problems of a name that fits the name format of the kind, where the name must agree with the object. */
  readonly validateName?: (name: string, object: JsonObject, isPrefix: boolean) => string[];
  readonly create: (object: JsonObject, errors: FieldErrors, context: StrategyContext) => ValidationSteps;
  /** Checks all that v1.29 checks of an update, for most kinds including the rules for a new object. */
  readonly update: ValidateUpdate;
  /** Rules by subresource that writes the object, such as `status`; `update` holds for those not named. */
  readonly subresources?: Readonly<Record<string, ValidateUpdate>>;
}

/**
 * Checks an object in steps. `old` is undefined for a new object. `metaErrors` are those of its metadata; to refuse the
 * object is to throw a StatusError with these and all others.
 */
export type SteppedValidation = (
  object: JsonObject,
  old: JsonObject | undefined,
  metaErrors: readonly FieldError[],
  context: StrategyContext,
) => Steps;

/** Checks an object that replaces `old`. */
export type ValidateUpdate = (
  object: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  context: StrategyContext,
) => ValidationSteps;

/** The remaining work of a validation that may take long. Undefined if all is done. */
export type ValidationSteps = Steps<void> | void;

/** The facts about the request that hooks may use. */
export interface StrategyContext {
  readonly user: UserInfo;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The subresource that is written; empty for the object itself. */
  readonly subresource: string;
  readonly features: FeatureGates;
  /** Set where containers may have all rights on their node (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
}

/**
 * The reading and storing of objects of one served version, for kinds whose schema and stored version change while
 * objects are stored, and whose versions a webhook may convert. Takes whole objects and does not change them. Failures
 * throw a StatusError.
 */
export interface StoredForm {
  /** The revision after which objects written in the current stored version are in its current schema. */
  readonly unchangedSince: number;
  /** Returns the schema of a version that the definition has, served or not; undefined for any other. */
  schemaOf(apiVersion: string): ObjectSchema | undefined;
  /** Returns a stored object in the current schema of its version. */
  inSchemaOfNow(stored: JsonObject): ObjectOfNow;
  /**
   * Converts objects in the current schema to the served version, keeping their order. Objects that are in it already
   * are returned as they are; the others may hold what the schema of the served version does not know: `pruned` drops
   * it.
   */
  fromNow(objects: readonly JsonObject[], signal?: AbortSignal): MaybePromise<readonly JsonObject[]>;
  /** Returns a converted object without what the schema of the served version does not know. */
  pruned(converted: JsonObject): JsonObject;
  /** Returns an object of the served version as it is to be stored. */
  toStored(object: JsonObject, signal?: AbortSignal): MaybePromise<JsonObject>;
  /** The converter between the versions; undefined where they differ in nothing but their names. */
  readonly convert: ConvertObjects | undefined;
}

/** A stored object in the current schema. */
export interface ObjectOfNow {
  readonly object: JsonObject;
  /** Bytes of JSON that the schema has added. */
  readonly addedBytes: number;
}

/** Converts whole objects of one kind to a version, as the definition of the kind says. Rejects with a StatusError. */
export type ConvertObjects = (
  objects: readonly JsonObject[],
  apiVersion: string,
  signal: AbortSignal | undefined,
) => Promise<readonly JsonObject[]>;

/** The mapping between a kind and its Scale. Objects are of the served version. Refusals are thrown as StatusError. */
export interface ScaleView {
  /** Returns the state that a Scale shows; `replicas` is undefined when the object does not state them. */
  read(object: JsonObject): ScaledState;
  /**
   * Returns the path of the desired replicas in any version, for field ownership: no members where the version has no
   * scale, undefined for what is no version of the kind. `spec.replicas` in all versions when absent.
   */
  readonly replicasPathIn?: (apiVersion: string) => readonly string[] | undefined;
  /** Sets the desired replicas, in place. The rules of the kind check the number. */
  write(object: JsonObject, replicas: number): void;
  /**
   * The JSON path of the desired replicas, for kinds whose objects must state them; elsewhere unstated replicas mean 0.
   */
  readonly requiredReplicas?: string;
  /** The columns and rows of tables of Scales. */
  readonly table: TableDefinition;
}

/** The state of an object that a Scale shows. */
export interface ScaledState {
  readonly replicas: number | undefined;
  readonly statusReplicas: number;
  /** A label selector as text, empty when there is none. */
  readonly selector: string;
}

/** The shape of a kind and of its lists, compiled when it is first asked for. */
export interface ResourceSchemas {
  readonly kind: KindSchema;
  readonly list: KindSchema;
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
   * handlers of the kind's own. Absent where this server has none: discovery leaves such subresources out.
   */
  readonly handledBy?: "object" | "scale" | "kind";
  /** Set where requests of any method are passed on to something else (exec, proxy): the verb is `connect`. */
  readonly connect?: { readonly takesPath: boolean };
  /** The kind that a create answers with, when it is not the kind itself. */
  readonly response?: GroupVersionKind;
}

/** The form and the key prefix under which the objects of a resource are stored. */
export interface StorageLocation {
  /** The group version whose form is stored. */
  readonly group: string;
  readonly version: string;
  /** Keys are `/registry/<prefix>/[<namespace>/]<name>`, as kube-apiserver lays them out, without slashes around it. */
  readonly prefix: string;
}

/** Returns a selectable field of a stored object as text. */
export type SelectableField = (stored: JsonObject) => string;

/**
 * The form of names: a DNS subdomain or label (RFC 1123), a label that starts with a letter (RFC 1035), or anything
 * that fits into one path segment; `any` where v1.29 checks the last only if nothing else is wrong.
 */
export type NameFormat = "dnsSubdomain" | "dnsLabel" | "dns1035Label" | "pathSegment" | "any";
