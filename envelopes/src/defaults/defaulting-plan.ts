import { maxMemberNotes, noteAmount, sentAmounts } from "../codec/member-notes.js";
import { parseQuantity, roundUpQuantity } from "../codec/scalars/quantity.js";
import type { EnabledFeatures } from "../features/enabled-features.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import type { Field, ObjectSchema, Schema } from "../schema/schema.js";
import { type DefaultingFunction, type DefaultingFunctions, setIfAbsent, setIfZero } from "./defaulting-function.js";
import { applyStructuralDefaults } from "./structural-defaults.js";

/**
 * Applies what the schema states, and all functions, to an object of a schema and to everything inside it. Returns how many
 * bytes the schema of a custom kind has added to the JSON of the object; those of built-in kinds, which add a few to each
 * struct, are not counted. Throws TooManyDefaultsError when an object of a custom kind would become larger than any that
 * can be stored.
 */
export type Defaulting = (schema: ObjectSchema, object: JsonObject, features: EnabledFeatures) => number;

/** The defaulting of values of one schema. Compiled once, so that only members that lead to a function are visited. */
interface Plan {
  readonly functions: readonly DefaultingFunction[];
  readonly members: readonly Member[];
  /** True if a apply may add something to an empty struct, so that an absent struct has to be tried, too. */
  readonly fillsEmpty: boolean;
}

interface Member {
  readonly name: string;
  /** True if the member's own members are in the parent. */
  readonly inline: boolean;
  /** True for a struct that functions treat as present even if it is absent. */
  readonly isStruct: boolean;
  readonly visit: Visit;
  readonly fillsEmpty: boolean;
}

type Visit = (value: JsonValue, features: EnabledFeatures) => void;

/** Compiles functions. Plans are made when a schema is first met, and kept with the schema, which never changes. */
export function createDefaulting(functions: DefaultingFunctions): Defaulting {
  const plans = new WeakMap<ObjectSchema, Plan | undefined>();

  function planOf(schema: ObjectSchema): Plan | undefined {
    if (!plans.has(schema)) {
      // Seen again before it is finished, a recursive schema counts as one without functions; none has any.
      plans.set(schema, undefined);
      plans.set(schema, compile(schema));
    }
    return plans.get(schema);
  }

  function compile(schema: ObjectSchema): Plan | undefined {
    const apply = functions[schema.name];
    const own = [...statedDefaults(schema), ...(apply === undefined ? [] : [apply])];
    const members: Member[] = [];
    for (const field of schema.fields) {
      const member = memberOf(field, schema.name);
      if (member !== undefined) {
        members.push(member);
      }
    }
    if (own.length === 0 && members.length === 0) {
      return undefined;
    }
    return {
      functions: own,
      members,
      fillsEmpty: own.length > 0 || members.some((member) => member.isStruct && member.fillsEmpty),
    };
  }

  function memberOf(field: Field, owner: string): Member | undefined {
    const { schema } = field;
    const visit = isAmounts(schema) && owner.startsWith(roundingPackage) ? roundAmounts : visitorOf(schema);
    if (visit === undefined) {
      return undefined;
    }
    const isStruct = schema.type === "object" && !field.pointer;
    const fillsEmpty = schema.type === "object" && planOf(schema)?.fillsEmpty === true;
    return { name: field.name, inline: field.inline, isStruct, visit, fillsEmpty };
  }

  function visitorOf(schema: Schema): Visit | undefined {
    switch (schema.type) {
      case "object": {
        const plan = planOf(schema);
        return plan && ((value, features) => isJsonObject(value) && apply(plan, value, features));
      }
      case "list": {
        const visit = visitorOf(schema.items);
        return visit && ((value, features) => visitItems(value, visit, features));
      }
      case "map": {
        const visit = visitorOf(schema.values);
        return visit && ((value, features) => isJsonObject(value) && visitItems(Object.values(value), visit, features));
      }
      default:
        return undefined;
    }
  }

  return (schema, object, features) => {
    if (schema.structural !== undefined) {
      return applyStructuralDefaults(schema, object);
    }
    const plan = planOf(schema);
    if (plan !== undefined) {
      apply(plan, object, features);
    }
    return 0;
  };
}

function apply(plan: Plan, object: JsonObject, features: EnabledFeatures): void {
  for (const apply of plan.functions) {
    apply(object, features);
  }
  for (const member of plan.members) {
    if (member.inline) {
      member.visit(object, features);
      continue;
    }
    const value = object[member.name];
    if (value !== undefined && value !== null) {
      member.visit(value, features);
    } else if (member.isStruct && member.fillsEmpty) {
      const fresh: JsonObject = {};
      member.visit(fresh, features);
      if (Object.keys(fresh).length > 0) {
        object[member.name] = fresh;
      }
    }
  }
}

function visitItems(
  items: JsonValue | readonly (JsonValue | undefined)[],
  visit: Visit,
  features: EnabledFeatures,
): void {
  if (Array.isArray(items)) {
    for (const item of items) {
      if (item !== undefined) {
        visit(item, features);
      }
    }
  }
}

/**
 * Returns functions for the constant defaults in the schema. The zero value of a member that is no pointer means "absent".
 */
function statedDefaults(schema: ObjectSchema): DefaultingFunction[] {
  return schema.fields.flatMap(({ name, pointer, default: value }): DefaultingFunction[] => {
    if (value === undefined) {
      return [];
    }
    const set = pointer ? setIfAbsent : setIfZero;
    return typeof value === "object" && value !== null
      ? [(object) => set(object, name, structuredClone(value))]
      : [(object) => set(object, name, value)];
  });
}

/** The package of the messages whose amounts are rounded: v1.29 leaves those of a RuntimeClass alone. */
const roundingPackage = "k8s.io.api.core.v1.";

function isAmounts(schema: Schema): boolean {
  return schema.type === "map" && schema.values.type === "scalar" && schema.values.scalar === "quantity";
}

/** Rounds amounts of resources up to thousandths, in which they are counted. Canonical text shows which are finer. */
function roundAmounts(amounts: JsonValue): void {
  if (!isJsonObject(amounts)) {
    return;
  }
  const notes = { left: maxMemberNotes };
  for (const resource in amounts) {
    const amount = amounts[resource];
    if (typeof amount === "string" && /[nu]$|e-/.test(amount)) {
      amounts[resource] = roundUpQuantity(parseQuantity(amount), -3).text;
      if (sentAmounts(amounts)?.has(resource) !== true) {
        noteAmount(amounts, resource, amount, notes);
      }
    }
  }
}
