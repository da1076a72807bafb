import { create, denying, type PolicyCase } from "../policy-case.js";

const fails = { expression: "object.data.nothing == 'x'", message: "unused" };
const costly =
  "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, a + b + c + d + e > 0)))))";

/** Expressions that cannot be evaluated, budgets, failure policies. */
export const failing: readonly PolicyCase[] = [
  ...["Fail", "Ignore"].flatMap((failurePolicy) => [
    denying(`an expression that fails, ${failurePolicy}`, { failurePolicy, validations: [fails] }),
    denying(`an expression that fails and one that is false, ${failurePolicy}`, {
      failurePolicy,
      validations: [fails, { expression: "false", message: "said" }],
    }),
    denying(
      `an expression that fails, with all actions but denial, ${failurePolicy}`,
      { failurePolicy, validations: [fails] },
      [create("a", { data: {} })],
      [{ validationActions: ["Warn", "Audit"] }],
    ),
    denying(`an audit annotation that fails, ${failurePolicy}`, {
      failurePolicy,
      validations: [{ expression: "true" }],
      auditAnnotations: [
        { key: "a", valueExpression: "string(object.nothing)" },
        { key: "b", valueExpression: "'b'" },
      ],
    }),
    denying(
      `an audit annotation that fails in a binding that only warns, ${failurePolicy}`,
      { failurePolicy, validations: [], auditAnnotations: [{ key: "a", valueExpression: "string(object.nothing)" }] },
      [create("a")],
      [{ validationActions: ["Warn"] }],
    ),
    denying(`a match condition that fails, ${failurePolicy}`, {
      failurePolicy,
      matchConditions: [{ name: "a", expression: "object.nothing == 'x'" }],
    }),
    denying(`match conditions that fail, two of them, ${failurePolicy}`, {
      failurePolicy,
      matchConditions: [
        { name: "a", expression: "object.nothing == 'x'" },
        { name: "b", expression: "object.data.none == 'x'" },
      ],
    }),
    denying(`a match condition that fails and one that is false, ${failurePolicy}`, {
      failurePolicy,
      matchConditions: [
        { name: "a", expression: "object.nothing == 'x'" },
        { name: "b", expression: "false" },
      ],
    }),
    denying(`an expression above the limit of one call, ${failurePolicy}`, {
      failurePolicy,
      validations: [{ expression: costly }],
    }),
    denying(`a message expression above the limit, ${failurePolicy}`, {
      failurePolicy,
      validations: [{ expression: "false", message: "m", messageExpression: `string(${costly})` }],
    }),
    denying(`an audit annotation above the limit, ${failurePolicy}`, {
      failurePolicy,
      validations: [],
      auditAnnotations: [{ key: "a", valueExpression: `string(${costly})` }],
    }),
    denying(`validations above the budget of a policy, ${failurePolicy}`, {
      failurePolicy,
      validations: Array.from({ length: 12 }, () => ({ expression: costly })),
    }),
    denying(`message expressions above the budget of a policy, ${failurePolicy}`, {
      failurePolicy,
      validations: Array.from({ length: 12 }, () => ({ expression: "true", messageExpression: `string(${costly})` })),
    }),
    denying(`audit annotations above the budget of a policy, ${failurePolicy}`, {
      failurePolicy,
      validations: [{ expression: "false" }],
      auditAnnotations: Array.from({ length: 12 }, (_, index) => ({
        key: `a${index}`,
        valueExpression: `string(${costly})`,
      })),
    }),
    denying(`match conditions above their budget, ${failurePolicy}`, {
      failurePolicy,
      matchConditions: Array.from({ length: 4 }, (_, index) => ({ name: `a${index}`, expression: costly })),
    }),
    denying(`variables above the limit and the budget, ${failurePolicy}`, {
      failurePolicy,
      variables: Array.from({ length: 12 }, (_, index) => ({ name: `v${index}`, expression: costly })),
      validations: Array.from({ length: 12 }, (_, index) => ({ expression: `variables.v${index} || true` })),
    }),
  ]),
  denying("an error that another operand makes good", {
    validations: [{ expression: "object.data.nothing == 'x' || true" }],
  }),
  denying("a message expression that cannot be evaluated because of a variable with the authorizer", {
    variables: [{ name: "may", expression: "authorizer.path('/x').check('get').allowed()" }],
    validations: [
      { expression: "!variables.may", message: "plain", messageExpression: "'may: ' + string(variables.may)" },
    ],
  }),
];
