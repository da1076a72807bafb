import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, listAt } from "@gatehouse/envelopes/json";
import type { Policy } from "@gatehouse/policies/admission-expressions";

/** Lists the problems for which a server would refuse a policy, as far as its evaluation depends on them. */
export function policyProblems(object: JsonObject, { matchConditions, program }: Policy): readonly Problem[] {
  const { variables, validations, annotations } = program;
  const compiled: readonly (readonly [path: string, problem: string | undefined])[] = [
    ...(matchConditions?.expressions ?? []).map(
      ({ problem }, index) => [`matchConditions[${index}].expression`, problem] as const,
    ),
    ...[...variables.values()].map(
      ({ expression }, index) => [`variables[${index}].expression`, expression.problem] as const,
    ),
    ...validations.flatMap(({ expression, messageExpression }, index) => [
      [`validations[${index}].expression`, expression.problem] as const,
      [`validations[${index}].messageExpression`, messageExpression?.problem] as const,
    ]),
    ...annotations.map(({ value }, index) => [`auditAnnotations[${index}].valueExpression`, value.problem] as const),
  ];
  const required = (path: string, isThere: boolean): Problem[] => (isThere ? [] : [problemAt(path, "is required")]);
  return [
    ...required(
      "spec.matchConstraints.resourceRules",
      listAt(object, "spec", "matchConstraints", "resourceRules").length > 0,
    ),
    ...required("spec.validations", validations.length + annotations.length > 0),
    ...compiled.flatMap(([path, problem]) => (problem === undefined ? [] : [problemAt(`spec.${path}`, problem)])),
  ];
}
