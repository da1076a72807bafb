// Policies drawn at random: each about one kind, with what policies may have in all combinations.
import { Grammar } from "../expressions/grammar.mjs";
import { kinds, merged, requestScope, scopeOf } from "./kinds.mjs";

const reasons = ["Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge"];
const actions = [["Deny"], ["Deny"], ["Deny", "Audit"], ["Warn"], ["Warn", "Audit"], ["Audit"]];
const notFound = ["Allow", "Deny"];

const paramKinds = {
  none: {},
  configMap: {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    scope: {
      string: ["params.data.max", "params.data['text']", "params.metadata.name", "params.kind"],
      map: ["params.data"],
      members: ["params.data.max", "params.data"],
      any: ["params", "params.data"],
    },
  },
  limit: {
    paramKind: { apiVersion: "policies.example.com/v1", kind: "Limit" },
    scope: {
      int: ["params.max"],
      string: ["params.text", "params.metadata.name"],
      double: ["params.ratio"],
      texts: ["params.allowed"],
      members: ["params.max", "params.text", "params.allowed"],
      any: ["params"],
    },
  },
};

const namespaceScope = {
  string: ["namespaceObject.metadata.name", "namespaceObject.metadata.labels['zone']", "namespaceObject.status.phase"],
  map: ["namespaceObject.metadata.labels"],
  members: ["namespaceObject.metadata.annotations", "namespaceObject.spec"],
};

/** A policy about one of the kinds, as those of by-hand.mjs. */
export function drawPolicy(r, index) {
  const kindName = r.pick(Object.keys(kinds));
  const kind = kinds[kindName];
  const paramName = r.pick(["none", "none", "configMap", "limit"]);
  const { paramKind, scope: paramScope = {} } = paramKinds[paramName];
  const odd = r.pick([0, 0.02, 0.05]);
  const common = merged(
    scopeOf(kind, "object"),
    scopeOf(kind, "object"),
    requestScope,
    namespaceScope,
    r.chance(0.4) ? scopeOf(kind, "oldObject") : {},
  );
  const variables = [];
  const known = {};
  const scope = () => merged(common, paramScope, paramScope, known, known, known);
  for (let count = r.chance(0.5) ? 1 + r.int(3) : 0; variables.length < count; ) {
    const type = r.pick(["bool", "int", "string", "texts", "ints"]);
    const name = `v${variables.length}`;
    variables.push({ name, expression: new Grammar(r, scope(), odd).of(type) });
    known[type] = [...(known[type] ?? []), `variables.${name}`];
  }
  const text = () => new Grammar(r, scope(), odd).of("string");
  const validations = Array.from({ length: r.chance(0.95) ? 1 + r.int(3) : 0 }, () => ({
    expression: new Grammar(r, scope(), odd).of("bool"),
    ...(r.chance(0.3) && { message: r.pick(["no", " padded ", 'with "quotes" <&>', "täglich"]) }),
    ...(r.chance(0.5) && { messageExpression: text() }),
    ...(r.chance(0.35) && { reason: r.pick(reasons) }),
  }));
  const auditAnnotations = Array.from(
    { length: r.chance(0.3) || validations.length === 0 ? 1 + r.int(2) : 0 },
    (_, i) => ({
      key: `k${i}`,
      valueExpression: r.chance(0.7) ? text() : `${new Grammar(r, scope(), odd).of("bool")} ? ${text()} : null`,
    }),
  );
  const matchConditions = Array.from({ length: r.chance(0.25) ? 1 + r.int(2) : 0 }, (_, i) => ({
    name: `c${i}`,
    expression: new Grammar(r, merged(common, paramScope), odd).of("bool"),
  }));
  const { bindings, several } = drawBindings(r, paramName);
  return {
    name: `drawn ${index}`,
    kind: kindName,
    before: params,
    bindings,
    several,
    spec: {
      ...(paramKind && { paramKind }),
      ...(variables.length > 0 && { variables }),
      validations,
      ...(auditAnnotations.length > 0 && { auditAnnotations }),
      ...(matchConditions.length > 0 && { matchConditions }),
      ...(r.chance(0.5) && { failurePolicy: r.pick(["Fail", "Ignore"]) }),
      ...(r.chance(0.5) && { matchConstraints: drawConstraints(r, kind.rule) }),
    },
  };
}

/** ConfigMaps that policies have as parameters. */
const params = [
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "one", labels: { param: "yes" } },
    data: { max: "3", text: "prod" },
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "two", labels: { param: "yes", other: "yes" } },
    data: { max: "abc" },
  },
];

function drawBindings(r, paramName) {
  const count = r.chance(0.85) ? 1 : 2;
  const made = Array.from({ length: count }, () => {
    const [paramRef, several] = drawReference(r, paramName);
    return [
      {
        validationActions: r.pick(actions),
        ...(paramRef && { paramRef }),
        ...(r.chance(0.15) && { matchResources: drawMatch(r) }),
      },
      several,
    ];
  });
  return { bindings: made.map(([binding]) => binding), several: count > 1 || made.some(([, several]) => several) };
}

function drawReference(r, paramName) {
  if (paramName === "none" || r.chance(0.1)) return [undefined, false];
  const name = paramName === "limit" ? r.pick(["small", "big"]) : r.pick(["one", "two"]);
  const parameterNotFoundAction = r.pick(notFound);
  return r.pick([
    [{ name, parameterNotFoundAction }, false],
    [{ name, parameterNotFoundAction }, false],
    [{ name: "none", parameterNotFoundAction }, false],
    [{ selector: { matchLabels: { param: "yes" } }, parameterNotFoundAction }, true],
    [{ selector: { matchLabels: { other: "yes" } }, parameterNotFoundAction }, false],
    [{ selector: { matchLabels: { param: "no" } }, parameterNotFoundAction }, false],
  ]);
}

const drawMatch = (r) =>
  r.pick([
    { objectSelector: { matchLabels: { env: "prod" } } },
    { objectSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } },
    { namespaceSelector: { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] } },
    { resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }] },
  ]);

function drawConstraints(r, rule) {
  return {
    resourceRules: [
      {
        ...rule,
        operations: r.pick([["*"], ["CREATE"], ["UPDATE"], ["CREATE", "UPDATE"], ["DELETE"], ["CREATE", "DELETE"]]),
        ...(r.chance(0.2) && { apiVersions: ["*"] }),
        ...(r.chance(0.2) && { apiGroups: ["*"] }),
        ...(r.chance(0.2) && { resources: r.pick([["*"], ["*/*"], [...rule.resources, "*/scale", "*/status"]]) }),
        ...(r.chance(0.2) && { scope: r.pick(["Namespaced", "*", "Cluster"]) }),
        ...(r.chance(0.1) && { resourceNames: ["a"] }),
      },
    ],
    ...(r.chance(0.2) && {
      excludeResourceRules: [{ ...rule, operations: ["*"], ...(r.chance(0.7) && { resourceNames: ["b"] }) }],
    }),
    ...(r.chance(0.2) && {
      objectSelector: r.pick([
        { matchLabels: { env: "prod" } },
        { matchExpressions: [{ key: "a", operator: "Exists" }] },
      ]),
    }),
    ...(r.chance(0.3) && { matchPolicy: r.pick(["Exact", "Equivalent"]) }),
  };
}
