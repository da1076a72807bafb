import { metaOf } from "@gatehouse/apiserver/objects";
import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateFormat, validateRequiredText } from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote, goSyntax, isSameState } from "@gatehouse/envelopes/go";
import { integerAt, type JsonObject, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateFlowConditions } from "../../conditions.js";
import { mandatoryFlowSchemas } from "./mandatory-flow-schemas.js";
import { validatePolicyRules } from "./policy-rules.js";

const spec = FieldPath.of("spec");
const distinguishers = ["ByNamespace", "ByUser"];
const maxPrecedence = 10_000;

/** Rules of FlowSchema; the mandatory ones have fixed specs. */
export const flowSchemaValidation: KindValidation = {
  create: validateFlowSchema,
  update: (schema, _old, errors) => validateFlowSchema(schema, errors),
  subresources: { status: (schema, _old, errors) => validateFlowConditions(schema, errors) },
};

function validateFlowSchema(schema: JsonObject, errors: FieldErrors): void {
  const { name = "" } = metaOf(schema);
  validatePrecedence(integerAt(schema, "spec", "matchingPrecedence"), name, errors);
  validateDistinguisher(valueAt(schema, "spec", "distinguisherMethod"), errors);
  const level = spec.child("priorityLevelConfiguration").child("name");
  const levelName = textAt(schema, "spec", "priorityLevelConfiguration", "name");
  if (validateRequiredText(levelName, level, errors, "must reference a priority level")) {
    validateFormat(levelName, validateSubdomainName, level, errors);
  }
  for (const [index, rule] of listAt(schema, "spec", "rules").entries()) {
    if (errors.isFull) {
      return;
    }
    validatePolicyRules(rule, spec.child("rules").index(index), errors);
  }
  const mandatory = mandatoryFlowSchemas.get(name);
  if (mandatory !== undefined && !isSameState(schema["spec"], mandatory)) {
    const shown = goSyntax("k8s.io.api.flowcontrol.v1.FlowSchemaSpec", schema["spec"]);
    errors.invalidShown(spec, shown, `spec of '${name}' must equal the fixed value`);
  }
  validateFlowConditions(schema, errors);
}

function validatePrecedence(precedence: number | bigint, name: string, errors: FieldErrors): void {
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

function validateDistinguisher(method: JsonValue | undefined, errors: FieldErrors): void {
  const type = textAt(method, "type");
  if ((method ?? undefined) !== undefined && !distinguishers.includes(type)) {
    const shown = goLiteral("flowcontrol.FlowDistinguisherMethod", { Type: goQuote(type) });
    errors.notSupportedShown(spec.child("distinguisherMethod").child("type"), shown, distinguishers);
  }
}
