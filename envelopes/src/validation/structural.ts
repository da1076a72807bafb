import { isJsonObject, type JsonObject, type JsonValue } from "../json.js";
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from "../schema/schema.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";
import type { MemberRule, MemberRules, MessageRules } from "./member-rule.js";
import { findDuplicates } from "./structural-list.js";
import { structuralRulesOf } from "./structural-rules.js";
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
      checkMember(member, isJsonObject(object) ? object : noMembers, walk);
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
  readonly reportedAtHolder: boolean;
  /** Checked in place of a value that is missing; undefined when there is then nothing to check. */
  readonly zero: JsonValue | undefined;
  /** The empty string and the empty list are no value. */
  readonly emptyIsMissing: boolean;
}

type ValueCheck = (value: JsonValue, walk: Walk, holder: JsonObject) => void;

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
  fillPlan(plan, schema, schema.name === "" ? customRules : structuralRulesOf(schema.name));
  return plan;
}

/** The plan of a struct that has other rules where it stands than elsewhere. */
function planWith(schema: ObjectSchema, members: MemberRules, order: readonly string[] | undefined): Plan {
  const plan: Plan = { members: [], isComplete: false };
  const own = structuralRulesOf(schema.name);
  fillPlan(plan, schema, { members: { ...own?.members, ...members }, order: order ?? own?.order ?? [] });
  return plan;
}

function fillPlan(plan: Plan, schema: ObjectSchema, rules: MessageRules | "custom" | undefined): void {
  if (rules === undefined) {
    plan.isComplete = true;
    return;
  }
  const isCustom = rules === customRules;
  for (const field of inOrder(schema, isCustom ? [] : rules.order)) {
    const rule = isCustom ? customRule : (rules.members[field.name] ?? {});
    if (rule.unchecked !== true) {
      const member = planMember(field, rule, isCustom);
      if (member.required !== undefined || member.value !== undefined) {
        plan.members.push(member);
      }
    }
  }
  plan.isComplete = true;
}

function inOrder(schema: ObjectSchema, order: readonly string[]): readonly Field[] {
  const first = order.flatMap((name) => schema.properties.get(name) ?? []);
  return [...first, ...[...schema.properties.values()].filter((field) => !order.includes(field.name))];
}

const customRules = "custom";
const customRule: MemberRule = { declaredOrder: true };

function planMember(field: Field, rule: MemberRule, isCustom: boolean): MemberPlan {
  const { schema, pointer } = field;
  const isRequired =
    (field.required || rule.required === true) &&
    (isCustom || canBeMissing(field)) &&
    !rule.optional &&
    !rule.emptyIsUnsupported;
  const isStruct = schema.type === "object" && !pointer && !isCustom;
  return {
    field,
    required: isRequired ? (rule.detail ?? "") : undefined,
    value: checkOf(schema, rule, isCustom),
    // Items of a list are reported at the list, which checkOfList sees to.
    reportedAtHolder: rule.reportedAtHolder === true && schema.type === "scalar",
    // A Go struct that is no pointer is there even when JSON leaves it out, and lacks all its members.
    zero: isStruct ? noMembers : rule.emptyIsUnsupported ? "" : undefined,
    emptyIsMissing: !isCustom && !pointer,
  };
}

const noMembers: JsonObject = Object.freeze({});

/** Go cannot tell a missing number, boolean or struct from its zero value; a missing string, list or pointer it can. */
function canBeMissing(field: Field): boolean {
  if (field.pointer || field.schema.type === "list" || field.schema.type === "map" || field.schema.type === "json") {
    return true;
  }
  return field.schema.type === "scalar" && (field.schema.scalar === "string" || field.schema.scalar === "bytes");
}

function checkMember(member: MemberPlan, holder: JsonObject, walk: Walk): void {
  const given = holder[member.field.name];
  const value = isMissing(member, given) ? member.zero : given;
  if (!member.reportedAtHolder) {
    walk.path.push(member.field.name);
  }
  if (value !== undefined) {
    member.value?.(value, walk, holder);
  } else if (member.required !== undefined) {
    walk.errors.push(fieldError.required(pathText(walk.path), member.required));
  }
  if (!member.reportedAtHolder) {
    walk.path.pop();
  }
}

function isMissing(member: MemberPlan, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) {
    return true;
  }
  return member.emptyIsMissing && (value === "" || isEmptyCollection(member.field.schema, value));
}

function isEmptyCollection(schema: Schema, value: JsonValue): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : schema.type === "map" && isJsonObject(value) && Object.keys(value).length === 0;
}

/** `rule` is that of the member whose value it is, or whose items the values are. */
function checkOf(schema: Schema, rule: MemberRule, isCustom: boolean): ValueCheck | undefined {
  switch (schema.type) {
    case "object":
      return checkOfObject(schema, rule);
    case "list":
      return checkOfList(schema, rule, isCustom);
    case "map":
      return checkOfMap(schema, rule, isCustom);
    case "scalar":
      return checkOfScalar(schema, rule);
    default:
      return undefined;
  }
}

function checkOfObject(schema: ObjectSchema, rule: MemberRule): ValueCheck | undefined {
  const plan = rule.members === undefined ? planOf(schema) : planWith(schema, rule.members, rule.order);
  if (plan.isComplete && plan.members.length === 0) {
    return undefined;
  }
  return (value, walk) => {
    const object = isJsonObject(value) ? value : noMembers;
    for (const member of plan.members) {
      checkMember(member, object, walk);
    }
  };
}

function checkOfList(schema: ListSchema, rule: MemberRule, isCustom: boolean): ValueCheck | undefined {
  const check = checkOf(schema.items, rule, isCustom);
  const atHolder = rule.reportedAtHolder === true;
  // Of built-in kinds, listType is about ownership only; what may not repeat there is up to the rules of the kind.
  const isUnique = isCustom && (schema.listType === "set" || schema.listType === "map");
  if (check === undefined && !isUnique) {
    return undefined;
  }
  return (value, walk, holder) => {
    const items = Array.isArray(value) ? value : [];
    if (check !== undefined) {
      for (let index = 0; index < items.length; index++) {
        checkElement(check, items[index] ?? null, atHolder ? "" : `[${index}]`, walk, holder);
      }
    }
    if (isUnique) {
      walk.errors.push(...findDuplicates(schema, items, (index) => pathText([...walk.path, `[${index}]`])));
    }
  };
}

function checkOfMap(schema: MapSchema, rule: MemberRule, isCustom: boolean): ValueCheck | undefined {
  const check = checkOf(schema.values, rule, isCustom);
  if (check === undefined) {
    return undefined;
  }
  return (value, walk, holder) => {
    for (const [key, item] of Object.entries(isJsonObject(value) ? value : noMembers)) {
      checkElement(check, item ?? null, `[${key}]`, walk, holder);
    }
  };
}

function checkElement(check: ValueCheck, element: JsonValue, bracketed: string, walk: Walk, holder: JsonObject): void {
  if (hasEnoughErrors(walk.errors)) {
    return;
  }
  walk.path.push(bracketed);
  check(element, walk, holder);
  walk.path.pop();
}

function checkOfScalar(schema: ScalarSchema, rule: MemberRule): ValueCheck | undefined {
  const check: ScalarCheck | undefined = scalarCheck(schema, rule);
  if (check === undefined) {
    return undefined;
  }
  const { shownAs } = rule;
  return (value, walk, holder) => {
    const problem = check(value, () => pathText(walk.path));
    if (problem !== undefined) {
      walk.errors.push(shownAs === undefined ? problem : showing(problem, value, shownAs(holder)));
    }
  };
}

/** The problem, with another text in the place of the value. */
function showing(problem: FieldError, value: JsonValue, text: string): FieldError {
  return { ...problem, message: problem.message.replace(JSON.stringify(value), () => text) };
}

/** `spec.containers[0].name` */
function pathText(path: readonly string[]): string {
  let text = "";
  for (const part of path) {
    text += text === "" || part === "" || part.startsWith("[") ? part : `.${part}`;
  }
  return text;
}
