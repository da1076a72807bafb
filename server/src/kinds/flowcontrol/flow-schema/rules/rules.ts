import { goStruct } from "@gatehouse/apiserver/go";
import { isSameState, metaOf } from "@gatehouse/apiserver/objects";
import type { KindRules } from "@gatehouse/apiserver/registry";
import { checkFormat, checkRequiredText, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import {
  integerAt,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";
import { checkFlowConditions } from "../../conditions.js";
import { goFlowSchemaSpec } from "./go-flow-schema-spec.js";
import { mandatoryFlowSchemas } from "./mandatory-flow-schemas.js";
import { checkPolicyRules } from "./policy-rules.js";

const spec = FieldPath.of("spec");
const distinguishers = ["ByNamespace", "ByUser"];
const maxPrecedence = 10_000;

/** Rules of FlowSchema; the mandatory ones have fixed specs. */
export const flowSchemaRules: KindRules = {
  create: checkFlowSchema,
  update: (schema, _old, errors) => checkFlowSchema(schema, errors),
  subresources: { status: (schema, _old, errors) => checkFlowConditions(schema, errors) },
};

function checkFlowSchema(schema: JsonObject, errors: FieldErrors): void {
  const { name = "" } = metaOf(schema);
  checkPrecedence(integerAt(schema, "spec", "matchingPrecedence"), name, errors);
  checkDistinguisher(valueAt(schema, "spec", "distinguisherMethod"), errors);
  const level = spec.child("priorityLevelConfiguration").child("name");
  const levelName = textAt(schema, "spec", "priorityLevelConfiguration", "name");
  if (checkRequiredText(levelName, level, errors, "must reference a priority level")) {
    checkFormat(levelName, checkSubdomainName, level, errors);
  }
  for (const [index, rule] of listAt(schema, "spec", "rules").entries()) {
    if (errors.isFull) {
      return;
    }
    checkPolicyRules(rule, spec.child("rules").index(index), errors);
  }
  const mandatory = mandatoryFlowSchemas.get(name);
  if (mandatory !== undefined && !isSameState(schema["spec"], mandatory)) {
    const shown = goFlowSchemaSpec(objectAt(schema, "spec"));
    errors.invalidShown(spec, shown, `spec of '${name}' must equal the fixed value`);
  }
  checkFlowConditions(schema, errors);
}

function checkPrecedence(precedence: number | bigint, name: string, errors: FieldErrors): void {
  const path = spec.child("matchingPrecedence");
  if (precedence <= 0) {
    errors.invalid(path, precedence, "must be a positive value");
  }
  if (precedence > maxPrecedence) {
    errors.invalid(path, precedence, `must not be greater than ${maxPrecedence}`);
  }
  if (precedence === 1 && name !== "exempt") {
    errors.invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
}

function checkDistinguisher(method: JsonValue | undefined, errors: FieldErrors): void {
  const type = textAt(method, "type");
  if ((method ?? undefined) !== undefined && !distinguishers.includes(type)) {
    const shown = goStruct("flowcontrol.FlowDistinguisherMethod", { Type: goQuote(type) });
    errors.notSupportedShown(spec.child("distinguisherMethod").child("type"), shown, distinguishers);
  }
}
