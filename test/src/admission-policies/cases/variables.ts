import { create, denying, type PolicyCase } from "../policy-case.js";

const data = [create("a", { data: { a: "1", b: "22" } })];

/** Composed variables. */
export const variables: readonly PolicyCase[] = [
  denying(
    "variables are composed in order",
    {
      variables: [
        { name: "keys", expression: "object.data.map(k, k)" },
        { name: "count", expression: "variables.keys.size()" },
      ],
      validations: [
        {
          expression: "variables.count == 3",
          messageExpression: "'count ' + string(variables.count) + ' of ' + variables.keys.filter(k, k != 'b')[0]",
        },
      ],
    },
    data,
  ),
  denying(
    "a variable that fails and is not used does no harm",
    { variables: [{ name: "bad", expression: "object.nothing.x" }], validations: [{ expression: "1 == 2" }] },
    data,
  ),
  denying(
    "a variable that fails fails where it is used",
    {
      variables: [{ name: "bad", expression: "object.nothing.x" }],
      validations: [{ expression: "variables.bad == 'x'" }],
    },
    data,
  ),
  denying(
    "a variable that fails through another one",
    {
      variables: [
        { name: "bad", expression: "object.nothing.x" },
        { name: "worse", expression: "string(variables.bad)" },
      ],
      validations: [{ expression: "variables.worse == 'x'" }],
    },
    data,
  ),
  denying(
    "an error in a variable may be made good",
    {
      variables: [{ name: "bad", expression: "object.nothing.x" }],
      validations: [{ expression: "variables.bad == 'x' || object.data.a == '1'" }],
    },
    data,
  ),
  denying(
    "variables of many types",
    {
      variables: [
        { name: "list", expression: "[1, 2]" },
        { name: "map", expression: "{'a': 1}" },
        { name: "quantity", expression: "quantity('1Gi')" },
        { name: "duration", expression: "duration('1h')" },
        { name: "time", expression: "timestamp('2024-01-01T00:00:00Z')" },
        { name: "nothing", expression: "null" },
        { name: "double", expression: "1.5" },
        { name: "object", expression: "object" },
      ],
      validations: [
        {
          expression: "false",
          messageExpression:
            "[string(variables.list[1]), string(variables.map.a), string(variables.duration), string(variables.time), string(variables.nothing == null), string(variables.double), string(variables.object.data.a)].join('|')",
        },
      ],
    },
    data,
  ),
  denying(
    "audit annotations use variables",
    {
      variables: [{ name: "a", expression: "object.data.a" }],
      validations: [],
      auditAnnotations: [{ key: "a", valueExpression: "'is ' + string(variables.a)" }],
    },
    data,
  ),
  denying(
    "has() of a variable",
    { variables: [{ name: "a", expression: "object.data.a" }], validations: [{ expression: "!has(variables.a)" }] },
    data,
  ),
];
