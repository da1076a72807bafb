import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { defaultTable } from "../tables/default-table.js";
import type { ResourceDefinition, SelectableField, StorageLocation, Subresource, Verb } from "./resource-definition.js";
import { completeStrategy, type KindStrategy } from "./strategies/resource-strategy.js";

/** The members that every definition states. */
type RequiredMember = "resource" | "kind" | "namespaced";

/** The members that `defineResource` makes of others. */
type MadeMember = "group" | "version" | "hasStatus" | "storage" | "fieldLabels" | "selectableFields" | "strategy";

/**
 * The definition of a kind as its folder states it, for `defineResources` to complete: names and scope, and of the rest
 * what departs from the usual. Absent members: no short names or categories, all verbs, no subresources, stored under the
 * resource name in the version that is served, served by default, a table of name and age, and the default rules.
 */
export interface KindDefinition
  extends Partial<Omit<ResourceDefinition, RequiredMember | MadeMember>>,
    Pick<ResourceDefinition, RequiredMember> {
  /** The members of the storage that depart from what is served; false for resources that are not stored. */
  readonly storage?: Partial<StorageLocation> | false;
  /** Selectable fields beyond name and namespace, by their names in the stored version. */
  readonly fields?: Readonly<Record<string, SelectableField>>;
  /** Labels of those fields, if this version has other names for them; each with the name of its field. */
  readonly fieldLabels?: Readonly<Record<string, string>>;
  /** The rules of the verbs, as far as they depart from those that hold for any kind. */
  readonly strategy?: KindStrategy;
}

/** The verbs of a stored resource. */
const allVerbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** The /status subresource, for kinds with a status. */
export const statusSubresource: Subresource = {
  name: "status",
  kind: undefined,
  verbs: ["get", "patch", "update"],
  handledBy: "object",
};

/** The /scale subresource, for kinds with replicas. */
export const scaleSubresource: Subresource = {
  name: "scale",
  kind: { group: "autoscaling", version: "v1", kind: "Scale" },
  verbs: ["get", "patch", "update"],
  handledBy: "scale",
};

/** Members of resources that are an operation: a POST of a question returns the answer. */
export const virtualResource = {
  verbs: ["create"],
  storage: false,
  storageVersionHash: "",
} as const satisfies Partial<KindDefinition>;

/** Returns the definitions of one group version, with the omitted members of its definitions filled in. */
export function defineResources(
  group: string,
  version: string,
  definitions: readonly KindDefinition[],
): readonly ResourceDefinition[] {
  return definitions.map((definition) => defineResource(group, version, definition));
}

/** Returns the definition of a resource in one group version, with the omitted members filled in. Frozen. */
export function defineResource(group: string, version: string, definition: KindDefinition): ResourceDefinition {
  const { storage, fields, fieldLabels: _labels, strategy = {}, ...rest } = definition;
  const subresources = definition.subresources ?? [];
  const names = subresources.map(({ name }) => name);
  return Object.freeze({
    group,
    version,
    singular: definition.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    subresources,
    hasStatus: names.includes("status"),
    storage: storage === false ? undefined : { group, version, prefix: definition.resource, ...storage },
    storageVersionHash: "",
    servedByDefault: true,
    gate: undefined,
    fieldLabels: fieldLabelsOf(definition),
    selectableFields: selectableFieldsOf(fields),
    expires: false,
    table: defaultTable,
    hiddenAnnotations: [],
    conversion: undefined,
    strategy: completeStrategy(strategy, names),
    ...rest,
  });
}

const objectFields: ReadonlyMap<string, SelectableField> = new Map([
  ["metadata.name", (stored: JsonObject) => textAt(stored, "metadata", "name")],
  ["metadata.namespace", (stored: JsonObject) => textAt(stored, "metadata", "namespace")],
]);

function selectableFieldsOf(fields: KindDefinition["fields"]): ReadonlyMap<string, SelectableField> {
  return fields === undefined || Object.keys(fields).length === 0
    ? objectFields
    : new Map([...objectFields, ...Object.entries(fields)]);
}

/**
 * Returns the field labels of a resource. As in v1.29, a cluster-scoped kind accepts the namespace as a label only if
 * it has no fields of its own.
 */
function fieldLabelsOf(definition: KindDefinition): ReadonlyMap<string, string> {
  const labels = new Map([["metadata.name", "metadata.name"]]);
  if (definition.namespaced || definition.fields === undefined) {
    labels.set("metadata.namespace", "metadata.namespace");
  }
  if (definition.fieldLabels !== undefined) {
    for (const [label, field] of Object.entries(definition.fieldLabels)) {
      labels.set(label, field);
    }
  } else {
    for (const field of Object.keys(definition.fields ?? {})) {
      labels.set(field, field);
    }
  }
  return labels;
}
