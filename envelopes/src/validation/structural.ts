import { isJsonObject, type JsonObject, type JsonValue } from "../json.js";
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from "../schema/schema.js";
import { type FieldError, fieldError } from "../status/field-error.js";
import { findDuplicates } from "./structural-list.js";
import { type MemberRule, structuralRulesOf } from "./structural-rules.js";
import { type ScalarCheck, scalarCheck } from "./structural-scalar.js";

/**
 * What a decoded and defaulted object lacks by its schema alone: required members, values outside of closed sets and
 * limits, and, for custom kinds, repeated items of sets and maps. It reports only what kube-apiserver 1.29 reports for
 * that shape; the other rules of a kind are code of their own. `metadata` and `status` are not looked at.
 */
export function validateStructure(schema: ObjectSchema, object: JsonValue): FieldError[] {
  const plan = planOf(schema);
  const walk: Walk = { path: [], errors: [] };
  for (const member of plan.members) {
    if (member.field.name !== "metadata" && member.field.name !== "status") {
      checkMember(member, isJsonObject(object) ? object[member.field.name] : undefined, walk);
    }
  }
  return walk.errors;
}

interface Walk {
  /** Member names, and for items what stands in brackets. */
  readonly path: string[];
  readonly errors: FieldError[];
}

/** What to check in one struct. Only members with something to check are in it. */
interface Plan {
  readonly members: MemberPlan[];
  isComplete: boolean;
}

interface MemberPlan {
  readonly field: Field;
  /** The detail of `Required value`; undefined when the member may be missing. */
  readonly required: string | undefined;
  readonly value: ValueCheck | undefined;
  /** Checked in place of a value that is missing; undefined when there is then nothing to check. */
  readonly zero: JsonValue | undefined;
  /** The empty string and the empty list are no value. */
  readonly emptyIsMissing: boolean;
}

type ValueCheck = (value: JsonValue, walk: Walk) => void;

// Keyed by schema, so that plans live exactly as long as the schemas they were made from.
const plans = new WeakMap<ObjectSchema, Plan>();

function planOf(schema: ObjectSchema): Plan {
  const known = plans.get(schema);
  if (known !== undefined) {
    return known;
  }
  const plan: Plan = { members: [], isComplete: false };
  // Entered before it is filled, for schemas that contain themselves.
  plans.set(schema, plan);
  const isCustom = schema.name === "";
  const rules = isCustom ? {} : structuralRulesOf(schema.name);
  for (const field of rules === undefined ? [] : schema.properties.values()) {
    const rule = isCustom ? customRule : rules?.[field.name];
    if (!rule?.unchecked) {
      const member = planMember(field, rule ?? {}, isCustom);
      if (member.required !== undefined || member.value !== undefined) {
        plan.members.push(member);
      }
    }
  }
  plan.isComplete = true;
  return plan;
}

const customRule: MemberRule = { declaredOrder: true };

function planMember(field: Field, rule: MemberRule, isCustom: boolean): MemberPlan {
  const { schema, pointer } = field;
  const isRequired = field.required && (isCustom || canBeMissing(field)) && !rule.optional && !rule.emptyIsUnsupported;
  const isStruct = schema.type === "object" && !pointer && !isCustom;
  return {
    field,
    required: isRequired ? (rule.detail ?? "") : undefined,
    value: schema.type === "scalar" ? checkOfScalar(schema, rule) : checkOf(schema, isCustom),
    // A Go struct that is no pointer is there even when JSON leaves it out, and lacks all its members.
    zero: isStruct ? noMembers : rule.emptyIsUnsupported ? "" : undefined,
    emptyIsMissing: !isCustom && !pointer,
  };
}

const noMembers: JsonObject = Object.freeze({});

/** Go cannot tell a missing number, boolean or struct from its zero value; a missing string, list or pointer it can. */
function canBeMissing(field: Field): boolean {
  if (field.pointer || field.schema.type === "list" || field.schema.type === "map") {
    return true;
  }
  return field.schema.type === "scalar" && (field.schema.scalar === "string" || field.schema.scalar === "bytes");
}

function checkMember(member: MemberPlan, given: JsonValue | undefined, walk: Walk): void {
  const value = isMissing(member, given) ? member.zero : given;
  walk.path.push(member.field.name);
  if (value !== undefined) {
    member.value?.(value, walk);
  } else if (member.required !== undefined) {
    walk.errors.push(fieldError.required(pathText(walk.path), member.required));
  }
  walk.path.pop();
}

function isMissing(member: MemberPlan, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) {
    return true;
  }
  return member.emptyIsMissing && (value === "" || (Array.isArray(value) && value.length === 0));
}

function checkOf(schema: Schema, isCustom: boolean): ValueCheck | undefined {
  switch (schema.type) {
    case "object":
      return checkOfObject(schema);
    case "list":
      return checkOfList(schema, isCustom);
    case "map":
      return checkOfMap(schema, isCustom);
    case "scalar":
      return checkOfScalar(schema, isCustom ? customRule : {});
    default:
      return undefined;
  }
}

function checkOfObject(schema: ObjectSchema): ValueCheck | undefined {
  const plan = planOf(schema);
  if (plan.isComplete && plan.members.length === 0) {
    return undefined;
  }
  return (value, walk) => {
    const object = isJsonObject(value) ? value : noMembers;
    for (const member of plan.members) {
      checkMember(member, object[member.field.name], walk);
    }
  };
}

function checkOfList(schema: ListSchema, isCustom: boolean): ValueCheck | undefined {
  const check = checkOf(schema.items, isCustom);
  // Of built-in kinds, listType is about ownership only; what may not repeat there is up to the rules of the kind.
  const isUnique = isCustom && (schema.listType === "set" || schema.listType === "map");
  if (check === undefined && !isUnique) {
    return undefined;
  }
  return (value, walk) => {
    const items = Array.isArray(value) ? value : [];
    if (check !== undefined) {
      for (let index = 0; index < items.length; index++) {
        checkElement(check, items[index] ?? null, `[${index}]`, walk);
      }
    }
    if (isUnique) {
      walk.errors.push(...findDuplicates(schema, items, (index) => pathText([...walk.path, `[${index}]`])));
    }
  };
}

function checkOfMap(schema: MapSchema, isCustom: boolean): ValueCheck | undefined {
  const check = checkOf(schema.values, isCustom);
  if (check === undefined) {
    return undefined;
  }
  return (value, walk) => {
    for (const [key, item] of Object.entries(isJsonObject(value) ? value : noMembers)) {
      checkElement(check, item ?? null, `[${key}]`, walk);
    }
  };
}

function checkElement(check: ValueCheck, element: JsonValue, bracketed: string, walk: Walk): void {
  walk.path.push(bracketed);
  check(element, walk);
  walk.path.pop();
}

function checkOfScalar(schema: ScalarSchema, rule: MemberRule): ValueCheck | undefined {
  const check: ScalarCheck | undefined = scalarCheck(schema, rule);
  if (check === undefined) {
    return undefined;
  }
  return (value, walk) => {
    const problem = check(value, () => pathText(walk.path));
    if (problem !== undefined) {
      walk.errors.push(problem);
    }
  };
}

/** `spec.containers[0].name` */
function pathText(path: readonly string[]): string {
  let text = "";
  for (const part of path) {
    text += text === "" || part.startsWith("[") ? part : `.${part}`;
  }
  return text;
}
