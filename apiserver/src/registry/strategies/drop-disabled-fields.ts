import { forgetEmptied, wasSentEmpty } from "@gatehouse/envelopes/codec";
import { type FeatureName, knownFeatures } from "@gatehouse/envelopes/features";
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from "@gatehouse/envelopes/json";
import type { Field, ObjectSchema, Schema } from "@gatehouse/envelopes/schema";
import type { FeatureGates } from "../../options/feature-gates.js";

/**
 * Takes out, in place, what belongs to features that are off, as v1.29 does before it validates: clients may always send
 * it. What the old object has of a member already stays, so that switching a feature off breaks no object.
 */
export function dropDisabledFields(
  schema: ObjectSchema,
  object: JsonObject,
  old: JsonObject | undefined,
  features: FeatureGates,
): void {
  const plan = planOf(schema);
  if (!plan.leadsToGates) {
    return;
  }
  if (!features.enabled("AppArmor")) {
    dropProfiles(plan, object, old, features);
  }
  const found: GatedMember[] = [];
  walk(plan, object, undefined, features, (member) => {
    // A reference into the namespace "" is one into its own.
    const isOwnNamespace = member.schema.name === typedReference && member.holder[member.field.name] === "";
    if (isThere(member.holder, member.field.name) && !isOwnNamespace) {
      found.push(member);
    }
  });
  if (found.length === 0) {
    return;
  }
  const inUse = new Set<Field>();
  if (old !== undefined) {
    walk(plan, old, undefined, features, ({ schema, field, holder }) => {
      // An object that had a reference may have any other one, which validation judges.
      if (schema.name === typedReference || holder[field.name] !== replacements[field.name]) {
        inUse.add(field);
      }
    });
  }
  for (const member of found) {
    if (!inUse.has(member.field)) {
      drop(member);
    }
  }
}

/** Takes out the annotations of AppArmor profiles of pods and their templates, unless the old object has one. */
function dropProfiles(plan: Plan, object: JsonObject, old: JsonObject | undefined, features: FeatureGates): void {
  const profilesIn = (root: JsonObject): readonly { readonly holder: JsonObject; readonly key: string }[] => {
    const found: { holder: JsonObject; key: string }[] = [];
    const collect = (pod: JsonObject): void => {
      const holder = objectAt(pod, "metadata", "annotations");
      found.push(
        ...Object.keys(holder)
          .filter((key) => key.startsWith(profilePrefix))
          .map((key) => ({ holder, key })),
      );
    };
    walk(plan, root, undefined, features, () => undefined, collect);
    return found;
  };
  const profiles = profilesIn(object);
  if (profiles.length > 0 && (old === undefined || profilesIn(old).length === 0)) {
    for (const { holder, key } of profiles) {
      delete holder[key];
    }
  }
}

const profilePrefix = "container.apparmor.security.beta.kubernetes.io/";

/** A member of a feature that is off. */
interface GatedMember {
  readonly schema: ObjectSchema;
  readonly field: Field;
  readonly holder: JsonObject;
  /** Takes out what holds the member. */
  readonly dropHolder: (() => void) | undefined;
}

const core = "k8s.io.api.core.v1";
const typedReference = `${core}.TypedObjectReference`;

/** Names of the structs of pods, whose annotations hold profiles. */
const pods: ReadonlySet<string> = new Set([`${core}.Pod`, `${core}.PodTemplateSpec`]);

/** Names of structs that are templates inside of other objects; v1.29 checks them when it makes claims of them. */
const claims: ReadonlySet<string> = new Set([`${core}.PersistentVolumeClaim`, `${core}.PersistentVolumeClaimTemplate`]);

/** Replacements for members that cannot be taken out, because objects of v1.29 always have them. */
const replacements: Readonly<Record<string, string>> = { procMount: "Default" };

function drop({ schema, field, holder, dropHolder }: GatedMember): void {
  const replacement = replacements[field.name];
  if (replacement !== undefined) {
    holder[field.name] = replacement;
    return;
  }
  delete holder[field.name];
  forgetEmptied(holder, field.name);
  // A reference into another namespace means nothing without it.
  if (schema.name === typedReference) {
    dropHolder?.();
  }
}

/** The places of gated members in values of one struct. Plans of structs that contain themselves contain themselves. */
interface Plan {
  readonly schema: ObjectSchema;
  readonly gated: readonly { readonly field: Field; readonly gates: readonly FeatureName[] }[];
  /** The members whose structs contain gated members, directly or further below. */
  readonly inner: readonly Field[];
  readonly leadsToGates: boolean;
}

// Keyed by schema, so that plans live exactly as long as the schemas they were made from.
const plans = new WeakMap<ObjectSchema, Plan>();

function planOf(schema: ObjectSchema): Plan {
  const known = plans.get(schema);
  if (known !== undefined) {
    return known;
  }
  const gated: { field: Field; gates: readonly FeatureName[] }[] = [];
  const inner: Field[] = [];
  const plan = { schema, gated, inner, leadsToGates: true };
  // Entered before it is filled, for schemas that contain themselves.
  plans.set(schema, plan);
  for (const field of schema.fields) {
    const gates = (field.featureGates ?? []).filter(isFeatureName);
    if (gates.length > 0) {
      gated.push({ field, gates });
    }
    const struct = structOf(field.schema);
    if (struct !== undefined && !claims.has(struct.name) && planOf(struct).leadsToGates) {
      inner.push(field);
    }
  }
  plan.leadsToGates = gated.length > 0 || inner.length > 0;
  return plan;
}

/** Gates that v1.29 no longer knows are on for ever. */
function isFeatureName(name: string): name is FeatureName {
  return Object.hasOwn(knownFeatures, name);
}

/** Returns the struct in a value, or in the items of a list or map. */
function structOf(schema: Schema): ObjectSchema | undefined {
  switch (schema.type) {
    case "object":
      return schema;
    case "union":
      return schema.object;
    case "list":
      return structOf(schema.items);
    case "map":
      return structOf(schema.values);
    default:
      return undefined;
  }
}

/** Reports whether a member is there; a list or map that was sent empty is, too, since messages would show it. */
function isThere(holder: JsonObject, name: string): boolean {
  return isSet(holder[name]) || wasSentEmpty(holder, name);
}

type Visit = (member: GatedMember) => void;

type VisitPod = (pod: JsonObject) => void;

function walk(
  plan: Plan,
  holder: JsonObject,
  dropHolder: (() => void) | undefined,
  features: FeatureGates,
  visit: Visit,
  visitPod?: VisitPod,
): void {
  if (visitPod !== undefined && pods.has(plan.schema.name)) {
    visitPod(holder);
  }
  for (const { field, gates } of plan.gated) {
    if (
      (isThere(holder, field.name) || plan.schema.name === typedReference) &&
      !gates.every((gate) => features.enabled(gate))
    ) {
      visit({ schema: plan.schema, field, holder, dropHolder });
    }
  }
  for (const field of plan.inner) {
    const value = field.inline ? holder : holder[field.name];
    const dropValue = field.inline ? dropHolder : () => delete holder[field.name];
    walkValue(field.schema, value, dropValue, features, visit, visitPod);
  }
}

function walkValue(
  schema: Schema,
  value: JsonValue | undefined,
  dropValue: (() => void) | undefined,
  features: FeatureGates,
  visit: Visit,
  visitPod: VisitPod | undefined,
): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      walkValue(schema.type === "list" ? schema.items : schema, item, undefined, features, visit, visitPod);
    }
  } else if (isJsonObject(value)) {
    if (schema.type === "map") {
      for (const item of Object.values(value)) {
        walkValue(schema.values, item, undefined, features, visit, visitPod);
      }
      return;
    }
    const struct = structOf(schema);
    if (struct !== undefined) {
      walk(planOf(struct), value, dropValue, features, visit, visitPod);
    }
  }
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
