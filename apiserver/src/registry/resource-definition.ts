import type {
  FeatureName,
  FieldError,
  GroupVersionKind,
  JsonObject,
  KindSchema,
  NameCheck,
  ObjectSchema,
} from "@gatehouse/envelopes";
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
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** The kind of a list of them; `<kind>List` when absent. */
  readonly listKind?: string;
  /** What its objects and lists look like; those of built-in kinds are found in the registry when this is absent. */
  readonly schemas?: ResourceSchemas;
  /** What clients of this version are told; derived from the schema when absent. */
  readonly deprecation?: Deprecation | undefined;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** Sets of resources that clients can ask for by one name (`kubectl get all`). */
  readonly categories: readonly string[];
  /** In the order of discovery. */
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** Undefined for resources that are operations or computed on reading. */
  readonly storage: StorageLocation | undefined;
  /** What discovery announces, so that clients can tell a change of storage version; empty when not stored. */
  readonly storageVersionHash: string;
  /** Served unless `--runtime-config` says otherwise. */
  readonly servedByDefault: boolean;
  /** The feature that must be on for the resource to be served at all. */
  readonly gate: FeatureName | undefined;
  /** Which names objects may have; checked on create. A check where no rule that kinds share says it. */
  readonly nameRule: NameRule | NameCheck;
  /**
   * The labels that a field selector may use in this version, each with the name of the selectable field behind it. The
   * two differ where an API version calls a field differently from the stored version.
   */
  readonly fieldLabels: ReadonlyMap<string, string>;
  /** The values that field selectors are matched against, by name, taken from an object as it is stored. */
  readonly selectableFields: ReadonlyMap<string, SelectableField>;
  /** PUT to a name that does not exist creates the object. */
  readonly allowCreateOnUpdate: boolean;
  /** PUT without a resourceVersion overwrites whatever is there. */
  readonly allowUnconditionalUpdate: boolean;
  readonly hasStatus: boolean;
  /** `kept` where a creator may set the status, too: nodes describe themselves. */
  readonly statusOnCreate: "dropped" | "kept";
  /**
   * What an update of /status does with labels, annotations, finalizers and owner references sent with it; `allKept`
   * where nothing else of metadata is looked at, either.
   */
  readonly metadataOnStatusUpdate: "written" | "kept" | "allKept";
  /** `written` where an update of /status may set what belongs to features that are off. */
  readonly disabledFieldsOnStatusUpdate?: "written";
  /**
   * What a write through a path takes back, whatever the client has sent, so that nobody comes to own it: dotted paths by
   * subresource, the object itself under "". Where nothing is said, status belongs to /status and everything else not.
   */
  readonly resetFields: Readonly<Record<string, readonly string[]>>;
  /** metadata.generation is maintained: 1 at first, one more with every change of the desired state. */
  readonly hasGeneration: boolean;
  /** `asSent` where a new object has the generation that its creator has given it, or none. */
  readonly firstGeneration?: "asSent";
  /** The name of an object of which only `generateName` is said; with random letters at its end when absent. */
  readonly nameFromPrefix?: (prefix: string) => string;
  /** What becomes of dependents when a deletion does not say. */
  readonly defaultPropagation: "Background" | "Orphan";
  /** DELETE answers with the last state of the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** Objects are dropped after the event time-to-live of the server (`--event-ttl`). */
  readonly expires: boolean;
  /** How clients that ask for a table see the objects. */
  readonly table: TableDefinition;
  /** Annotations that only stand for what the stored version has no member for: tables and bare metadata lack them. */
  readonly hiddenAnnotations: readonly string[];
  /** Between this version and the stored one; undefined where they are the same. */
  readonly conversion: Conversion | undefined;
  /** How objects are read and stored where that is more than a conversion of members: for custom kinds. */
  readonly storedForm?: StoredForm;
  /** How /scale shows and writes the objects, where that is not spec.replicas, status.replicas and spec.selector. */
  readonly scale?: ScaleView;
  /** What a CustomResourceDefinition says of the resource; built-in resources lack it. */
  readonly custom?: CustomResourceFacts;
}

/** What is known of a custom resource beyond what every resource has. */
export interface CustomResourceFacts {
  /** Its definition is being deleted: nothing new is made, and discovery says so. */
  readonly isTerminating: boolean;
  /** The schema of this version as the definition states it, for OpenAPI documents. Read anew with every call. */
  readonly openAPIV3Schema: () => JsonObject;
}

/**
 * Where a resource departs from the generic rules. All hooks work on plain decoded objects of the served version, may
 * change the first argument in place, and must not change `old`. They run once per attempt of a compare-and-set loop and
 * therefore depend on nothing but their arguments.
 */
export interface ResourceStrategy {
  /**
   * Decides what a strategy cannot decide alone: it may ask others and wait. Called with every attempt to create or
   * update the object or one of its subresources, after mutating admission and before anything is made of the object.
   * To refuse is to throw a StatusError.
   */
  readonly guard?: (attributes: AdmissionAttributes, privileges: Privileges) => Promise<void> | void;
  /** After the generic rule for create, before validation. The name and uid are already there. */
  readonly prepareForCreate?: (object: JsonObject, context: StrategyContext) => void;
  /** After the generic rule for update of the object, or of a subresource other than /status, before validation. */
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  /** After the generic rule for update of /status, before validation. */
  readonly prepareForStatusUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  /**
   * Marks an object that is deleted by its name for the first time, in the place of the rules for any kind: it stays until
   * a finalizer that is set here is taken off. `now` as in metadata.
   */
  readonly beginDeletion?: (object: JsonObject, now: string) => void;
  /** When the object is marked as terminating (or marked again), in the write that does so. */
  readonly prepareForDeletion?: (object: JsonObject, context: StrategyContext) => void;
  /**
   * The members whose changes metadata.generation counts, as dotted paths: `["spec"]` when absent. Of custom kinds it
   * counts every change of anything but metadata.
   */
  readonly desiredState?: readonly string[];
  /** Of the desired state, v1.29 tells a list or map that was sent empty from none. */
  readonly countsEmptied?: boolean;
  /**
   * How long a deletion is put off, in seconds; 0 deletes at once. `requested` is what the client asked for. Resources
   * without this hook know no graceful deletion.
   */
  readonly gracePeriodSeconds?: (object: JsonObject, requested: number | undefined) => number;
  /** Finalizers that the kind keeps outside of metadata; the object is removed only when there are none of either. */
  readonly ownFinalizers?: (object: JsonObject) => readonly string[];
  /** `any` where a finalizer without a domain may have any name; elsewhere it must be one of the control plane. */
  readonly finalizerRule?: "any";
  /**
   * As what v1.29 checks the metadata of an update once more for this kind, after it has done so for any kind: what is
   * wrong is listed as often. `["change", "object"]` when absent; `inRules` where the rules of the kind say so themselves,
   * since other things come before.
   */
  readonly metadataRechecks?: readonly MetadataCheck[] | "inRules";
  /**
   * When the metadata of a new object are looked at, if not before the rules of the kind: somewhere in them, or
   * afterwards, and only if they have found nothing.
   */
  readonly metadataOnCreate?: "inRules" | "afterRules";
  /** What the kind demands of its objects. Absent for resources that are not stored. */
  readonly rules?: KindRules;
  /** The same for kinds whose rules are made by clients, so that checking them may take long. */
  readonly slicedRules?: SlicedRules;
  /**
   * What the client is told about an object that is accepted, but of which something had better be changed. Asked after
   * validation; `old` is undefined on create.
   */
  readonly warnings?: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
  /** What is said when a deletion leaves it open what becomes of the dependents. */
  readonly defaultDeletionWarning?: string;
}

/**
 * What a kind demands of its objects beyond metadata, all of it, in v1.29's order and words. Rules see decoded and
 * defaulted objects of the served version, change nothing, and add what is wrong to `errors`.
 */
export interface KindRules {
  /** What is wrong with a name that fits the name rule of the kind: where it must say what the object says. */
  readonly checkName?: (name: string, object: JsonObject, isPrefix: boolean) => string[];
  readonly create: (object: JsonObject, errors: FieldErrors, context: StrategyContext) => RuleWork;
  /** Everything that v1.29 checks of an update: for most kinds the rules for a new object are among it. */
  readonly update: UpdateRule;
  /** By subresource that writes the object, `status` for example; where one is not named, `update` holds for it. */
  readonly subresources?: Readonly<Record<string, UpdateRule>>;
}

/**
 * Checks an object in slices: between two yields at most some milliseconds pass. `old` is undefined for a new object.
 * `metaErrors` are those of its metadata; to refuse the object is to throw a StatusError with these and all others.
 */
export type SlicedRules = (
  object: JsonObject,
  old: JsonObject | undefined,
  metaErrors: readonly FieldError[],
  context: StrategyContext,
) => Generator<undefined, void, undefined>;

/** What is demanded of an object that takes the place of `old`. */
export type UpdateRule = (
  object: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  context: StrategyContext,
) => RuleWork;

/** What is left to do of rules that may take long: between two yields some milliseconds pass. Most are done at once. */
export type RuleWork = Generator<undefined, void, undefined> | void;

/** What hooks may know of the request. */
export interface StrategyContext {
  readonly user: UserInfo;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The subresource that is written; empty for the object itself. */
  readonly subresource: string;
  readonly features: FeatureGates;
  /** Containers may have all rights on their node (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
}

/**
 * How objects of one served version are read from the store and made ready for it, for kinds whose schema and stored
 * version change while objects are stored, and whose versions others may convert. Objects are whole ones, and are not
 * changed. What fails throws a StatusError.
 */
export interface StoredForm {
  /** What has been written after this revision, in the version that is stored now, is in the form of the schema of now. */
  readonly unchangedSince: number;
  /** The schema of a version that the definition has, served or not; undefined for any other. */
  schemaOf(apiVersion: string): ObjectSchema | undefined;
  /** An object as it is stored, by the schema that its version has now. */
  inSchemaOfNow(stored: JsonObject): ObjectOfNow;
  /**
   * Objects of the served version from objects in the schema of now, in their order. Those of it already are the same
   * objects; the others may hold what the schema of the served version does not know: `pruned` drops it.
   */
  fromNow(objects: readonly JsonObject[], signal?: AbortSignal): MaybePromise<readonly JsonObject[]>;
  /** A converted object without what the schema of the served version does not know. */
  pruned(converted: JsonObject): JsonObject;
  /** An object as it is to be stored, from one of the served version. */
  toStored(object: JsonObject, signal?: AbortSignal): MaybePromise<JsonObject>;
  /** Who converts between the versions; undefined where they differ in nothing but their names. */
  readonly convert: ConvertObjects | undefined;
}

/** A stored object by the schema of now. */
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

/** Where a kind keeps what a Scale shows. Objects are of the served version. To refuse is to throw a StatusError. */
export interface ScaleView {
  /** What a Scale shows; `replicas` is undefined when the object does not say. */
  read(object: JsonObject): ScaledState;
  /**
   * Where objects of any version have their desired replicas, so that who owns them is known: the members that lead there,
   * none where the version has no scale. Undefined for what is no version of the kind. `spec.replicas` in all versions
   * when absent.
   */
  readonly replicasPathIn?: (apiVersion: string) => readonly string[] | undefined;
  /** Sets the desired replicas, in place. Whether there may be so many is for the rules of the kind to say. */
  write(object: JsonObject, replicas: number): void;
  /** The JSON path of the desired replicas, of kinds whose objects must state them; elsewhere none are wanted then. */
  readonly requiredReplicas?: string;
  /** How clients that ask for a table see a Scale. */
  readonly table: TableDefinition;
}

/** What a Scale says of an object. */
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

/** What can be done with a resource, as discovery and authorization call it. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A part or an operation of an object with a path of its own: `/status`, `/exec`. */
export interface Subresource {
  readonly name: string;
  /** The kind that is read and written; undefined when it is the kind of the resource itself. */
  readonly kind: GroupVersionKind | undefined;
  readonly verbs: readonly Verb[];
  /**
   * What carries its verbs out: those of the object itself, which show or write part of it; those of any scale; or
   * handlers of the kind's own. Absent where this server has none: discovery leaves such subresources out.
   */
  readonly handledBy?: "object" | "scale" | "kind";
  /** Requests are passed on to something else, by whatever method (exec, proxy): the verb is `connect`. */
  readonly connect?: { readonly takesPath: boolean };
  /** What a create answers with, when it is not the kind itself. */
  readonly response?: GroupVersionKind;
}

/** In which form and under which keys the objects of a resource are stored. */
export interface StorageLocation {
  /** The group version whose form is stored. */
  readonly group: string;
  readonly version: string;
  /** Keys are `/registry/<prefix>/[<namespace>/]<name>`, as kube-apiserver lays them out, without slashes around it. */
  readonly prefix: string;
}

/** A selectable field of an object as it is stored, as text. */
export type SelectableField = (stored: JsonObject) => string;

/**
 * What names look like: a DNS subdomain or label (RFC 1123), a label that starts with a letter (RFC 1035), or anything
 * that fits into one path segment; `any` where v1.29 says the last only if nothing else is wrong.
 */
export type NameRule = "dnsSubdomain" | "dnsLabel" | "dns1035Label" | "pathSegment" | "any";
