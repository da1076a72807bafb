import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { withStrictness } from "../config/hook-mode.js";
import { allow, deny, patch } from "../decision/decision.js";
import { mutator } from "../handlers/mutator.js";
import { type Hook, mutatingHook, validatingHook } from "../hooks/hook.js";
import type { HookMatchCondition, HookOptions } from "../hooks/hook-options.js";
import { type AdmitOptions, admit } from "./admit.js";
import { BadObjectError } from "./prepare-object.js";

const rules = [{ operations: ["*" as const], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];

function configMap(data: Record<string, string> = {}, labels: Record<string, string> = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop", labels }, data };
}

describe("A hook with match conditions", () => {
  const denying = (expressions: readonly string[], options: Partial<HookOptions> = {}): Hook =>
    validatingHook({
      name: "v.example.com",
      rules,
      handler: () => deny("no"),
      matchConditions: expressions.map((expression, index): HookMatchCondition => ({ name: `c${index}`, expression })),
      ...options,
    });

  test("is asked when all of them are true", async () => {
    const hook = denying(["object.metadata.name == 'a'", "request.operation == 'CREATE'"]);
    const { outcome, asked, excluded } = await admit([hook], { object: configMap() });
    assert.deepEqual([outcome, asked, excluded], ["denied", ["v.example.com"], []]);
  });

  test("is not asked when one is false, whatever the others are, and the outcome says so", async () => {
    const hook = denying(["object.data.missing == ''", "request.namespace != 'shop'"]);
    const { outcome, asked, excluded } = await admit([hook], { object: configMap() });
    assert.deepEqual([outcome, asked, excluded], ["allowed", [], ["v.example.com"]]);
  });

  test("fails to decide when one cannot be evaluated and its failure policy is Fail", async () => {
    const { outcome, asked, decidedBy, message } = await admit([denying(["object.spec.size > 1"])], {
      object: configMap(),
    });
    assert.deepEqual([outcome, asked, decidedBy], ["failed", [], "v.example.com"]);
    assert.equal(message, "expression 'object.spec.size > 1' resulted in error: no such key: spec");
  });

  test("is not asked when one cannot be evaluated and its failure policy is Ignore, or it only warns", async () => {
    const ignoring = denying(["object.spec.size > 1"], { failurePolicy: "Ignore" });
    const warning = withStrictness(denying(["object.spec.size > 1"]), { mode: "Warn" });
    for (const hook of [ignoring, warning]) {
      const { outcome, excluded } = await admit([hook], { object: configMap() });
      assert.deepEqual([outcome, excluded], ["allowed", ["v.example.com"]]);
    }
  });

  test("sees the object as earlier hooks have left it", async () => {
    const labelling = mutatingHook({
      name: "m.example.com",
      rules,
      handler: mutator<{ metadata: { labels?: Record<string, string> } }>(({ metadata }) => {
        metadata.labels = { ...metadata.labels, owner: "jane" };
      }),
    });
    const hook = denying(["!has(object.metadata.labels.owner)"]);
    const object = configMap({}, { tier: "one" });
    assert.deepEqual((await admit([labelling, hook], { object })).excluded, ["v.example.com"]);
    assert.equal((await admit([hook], { object })).outcome, "denied");
  });

  test("sees the old object, the user and the options of the request", async () => {
    const expressions = [
      "oldObject.data.colour != object.data.colour",
      "request.userInfo.groups.exists(g, g == 'dev')",
      "request.options.fieldManager == 'me' && request.dryRun && request.resource.resource == 'configmaps'",
    ];
    const { outcome } = await admit([denying(expressions)], {
      object: configMap({ colour: "red" }),
      oldObject: configMap({ colour: "blue" }),
      userInfo: { username: "jane", groups: ["dev"] },
      dryRun: true,
      options: { apiVersion: "meta.k8s.io/v1", kind: "UpdateOptions", fieldManager: "me" },
    });
    assert.equal(outcome, "denied");
  });

  test("asks the authorizer of the test, and the test must give one", async () => {
    const hook = denying(["authorizer.group('').resource('secrets').namespace('shop').check('get').allowed()"]);
    const asked: unknown[] = [];
    const authorizer: AdmitOptions["authorizer"] = async (question, { username }) => {
      asked.push(question.isResource && [username, question.verb, question.resource, question.namespace]);
      return true;
    };
    assert.equal((await admit([hook], { object: configMap() }, { authorizer })).outcome, "denied");
    assert.deepEqual(asked, [["somebody", "get", "secrets", "shop"]]);
    await assert.rejects(
      admit([hook], { object: configMap() }),
      new TypeError("the test gives no answer: v.example.com asks for the variable authorizer"),
    );
  });
});

/** Returns a policy about ConfigMaps with its binding. */
function policy(spec: JsonObject, binding: JsonObject = {}, name = "p.example.com"): JsonObject[] {
  const apiVersion = "admissionregistration.k8s.io/v1beta1";
  const resourceRules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
  return [
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: { matchConstraints: { resourceRules }, ...spec },
    },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: `${name}-binding` },
      spec: { policyName: name, validationActions: ["Deny"], ...binding },
    },
  ];
}

const small = { validations: [{ expression: "object.data.size() < 2", message: "too many" }] };
const large = configMap({ a: "1", b: "2" });

describe("A ValidatingAdmissionPolicy", () => {
  test("denies with the message of a server, before validating hooks are asked", async () => {
    const hook = validatingHook({ name: "v.example.com", rules, handler: () => allow() });
    const { outcome, decidedBy, message, asked, policies } = await admit(
      [hook],
      { object: large },
      { policies: policy(small) },
    );
    assert.deepEqual([outcome, decidedBy, asked, policies], ["denied", "p.example.com", [], ["p.example.com"]]);
    assert.equal(
      message,
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p.example.com' with binding 'p.example.com-binding' denied request: too many`,
    );
    const allowed = await admit([hook], { object: configMap({ a: "1" }) }, { policies: policy(small) });
    assert.deepEqual(allowed.asked, [hook.name]);
  });

  test("sees the object as mutating hooks have left it", async () => {
    const handler = mutator<{ data: Record<string, string> }>(({ data }) => {
      data["more"] = "1";
    });
    const hook = mutatingHook({ name: "m.example.com", rules, handler });
    const options = { policies: policy(small) };
    assert.equal((await admit([hook], { object: configMap({ a: "1" }) }, options)).outcome, "denied");
  });

  test("warns and notes in the audit event as its binding says", async () => {
    const policies = policy(
      { ...small, auditAnnotations: [{ key: "size", valueExpression: "string(object.data.size())" }] },
      { validationActions: ["Warn", "Audit"] },
    );
    const { outcome, warnings, warnedBy, auditAnnotations } = await admit([], { object: large }, { policies });
    assert.deepEqual([outcome, warnedBy], ["allowed", ["p.example.com"]]);
    assert.deepEqual(warnings, [
      "Validation failed for ValidatingAdmissionPolicy 'p.example.com' with binding 'p.example.com-binding': too many",
    ]);
    assert.equal(auditAnnotations["p.example.com/size"], "2");
    assert.match(
      auditAnnotations["validation.policy.admission.k8s.io/validation_failure"] ?? "",
      /"message":"too many".*"validationActions":\["Warn","Audit"\]/,
    );
  });

  test("takes its parameters from the objects that exist, by name and by labels", async () => {
    const spec = {
      paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
      validations: [
        { expression: "object.data.size() <= params.max", messageExpression: "'over ' + string(params.max)" },
      ],
    };
    const limit = (name: string, max: number, labels: Record<string, string> = {}): JsonObject => ({
      apiVersion: "example.com/v1",
      kind: "Limit",
      metadata: { name, namespace: "shop", labels },
      max,
    });
    const existing = [limit("one", 1, { all: "yes" }), limit("three", 3)];
    const messageFor = async (paramRef: JsonObject): Promise<string | undefined> => {
      const policies = policy(spec, { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } });
      return (await admit([], { object: large, existing }, { policies })).message?.replace(/^.*denied request: /, "");
    };
    assert.equal(await messageFor({ name: "one" }), "over 1");
    assert.equal(await messageFor({ name: "three" }), undefined);
    assert.equal(await messageFor({ selector: { matchLabels: { all: "yes" } } }), "over 1");
    assert.match((await messageFor({ name: "two" })) ?? "", /no params found for policy binding with `Deny`/);
  });

  test("is told by name when the kind of its parameters is not there", async () => {
    const spec = { ...small, paramKind: { apiVersion: "example.com/v1", kind: "Limit" } };
    const { message = "" } = await admit(
      [],
      { object: large },
      { policies: policy(spec, { paramRef: { name: "a" } }) },
    );
    assert.match(message, /failed to find resource referenced by paramKind: 'example.com\/v1, Kind=Limit'/);
  });

  test("about objects of a kind that is defined as cluster-scoped takes parameters of such a kind, too", async () => {
    const definition = (kind: string): JsonObject => {
      const names = { kind, plural: `${kind.toLowerCase()}s` };
      const openAPIV3Schema = { type: "object", properties: { size: { type: "integer" } } };
      const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
      const spec = { group: "example.com", scope: "Cluster", names, versions };
      return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: {}, spec };
    };
    const of = (kind: string, name: string, more: JsonObject): JsonObject => ({
      ...{ apiVersion: "example.com/v1", kind, metadata: { name } },
      ...more,
    });
    const rule = { operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["planets"] };
    const spec = {
      matchConstraints: { resourceRules: [{ ...rule, scope: "Cluster" }] },
      paramKind: { apiVersion: "example.com/v1", kind: "Star" },
      validations: [
        { expression: "object.size < params.size", messageExpression: "'as large as ' + params.metadata.name" },
      ],
    };
    const existing = [definition("Planet"), definition("Star"), of("Star", "sun", { size: 3 })];
    const policies = policy(spec, { paramRef: { name: "sun", parameterNotFoundAction: "Deny" } });
    const given = { object: of("Planet", "giant", { size: 4 }), existing };
    const { outcome, message = "" } = await admit([], given, { policies });
    assert.equal(outcome, "denied");
    assert.match(message, /as large as sun$/);
  });

  test("is selected by the labels of the namespace, which its expressions see, too", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { tier: "one" } } };
    const matchResources = { namespaceSelector: { matchLabels: { tier: "one" } } };
    const spec = { validations: [{ expression: "namespaceObject.metadata.labels.tier != 'one'" }] };
    const options = { policies: policy(spec, { matchResources }) };
    assert.equal((await admit([], { object: large, existing: [namespace] }, options)).outcome, "denied");
    const unlabelled = await admit([], { object: large }, options);
    assert.deepEqual([unlabelled.outcome, unlabelled.policies], ["allowed", []]);
  });

  test("is not evaluated when its match conditions exclude the request", async () => {
    const policies = policy({ ...small, matchConditions: [{ name: "c", expression: "object.metadata.name != 'a'" }] });
    const { outcome, policies: evaluated } = await admit([], { object: large }, { policies });
    assert.deepEqual([outcome, evaluated], ["allowed", []]);
  });

  test("asks the authorizer of the test, for service accounts, too", async () => {
    const check = "authorizer.serviceAccount('shop', 'robot').path('/healthz').check('get').allowed()";
    const policies = policy({ validations: [{ expression: check }] });
    const authorizer: AdmitOptions["authorizer"] = (question, { username }) =>
      !question.isResource && question.path === "/healthz" && username === "system:serviceaccount:shop:robot";
    assert.equal((await admit([], { object: large }, { policies, authorizer })).outcome, "allowed");
    await assert.rejects(
      admit([], { object: large }, { policies }),
      /p\.example\.com asks for the variable authorizer/,
    );
  });

  test("of a version that the object would have to be converted to is told by name", async () => {
    const rule = { operations: ["CREATE"], apiGroups: ["autoscaling"], apiVersions: ["v1"] };
    const resourceRules = [{ ...rule, resources: ["horizontalpodautoscalers"] }];
    const spec = { matchConstraints: { resourceRules }, validations: [{ expression: "false" }] };
    const object: JsonObject = {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "a" },
      spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "a" } },
    };
    await assert.rejects(
      admit([], { object }, { policies: policy(spec) }),
      /p\.example\.com asks for the object as autoscaling\/v1 HorizontalPodAutoscaler/,
    );
    const exact = policy({ ...spec, matchConstraints: { resourceRules, matchPolicy: "Exact" } });
    assert.equal((await admit([], { object }, { policies: exact })).outcome, "allowed");
  });

  test("with a field that there is not is refused", async () => {
    const policies = policy({ ...small, validation: [] });
    await assert.rejects(
      admit([], { object: large }, { policies }),
      new BadObjectError('ValidatingAdmissionPolicy: unknown field "spec.validation"'),
    );
  });
});

describe("A definition of a custom kind", () => {
  const rule = { rule: "self.size >= oldSelf.size", message: "must not shrink" };
  const properties = { size: { type: "integer" }, unit: { type: "string", default: "cm" } };
  const spec = { type: "object", properties, required: ["size"], "x-kubernetes-validations": [rule] };
  const openAPIV3Schema = {
    type: "object",
    properties: { spec, status: { type: "object", properties: { a: { type: "integer" } } } },
  };
  const definitions: readonly JsonObject[] = [
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "planets.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { kind: "Planet", plural: "planets" },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
        ],
      },
    },
  ];
  const planet = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...{ apiVersion: "example.com/v1", kind: "Planet", metadata: { name: "earth" }, spec },
    ...more,
  });
  const rules = [
    { operations: ["CREATE" as const], apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["planets"] },
  ];

  test("fills in defaults before hooks are asked, and refuses what mutating hooks have made invalid", async () => {
    const seen: unknown[] = [];
    const grow = mutatingHook({
      name: "grow.example.com",
      rules,
      handler: ({ object }) => {
        seen.push(objectAt(object, "spec"));
        return patch([{ op: "replace", path: "/spec/size", value: "large" }]);
      },
    });
    const late = validatingHook({ name: "late.example.com", rules, handler: () => deny("asked") });
    const { outcome, decidedBy, message, asked } = await admit(
      [grow, late],
      { object: planet({ size: 4 }) },
      { definitions },
    );
    assert.deepEqual(seen, [{ size: 4, unit: "cm" }]);
    assert.deepEqual([outcome, decidedBy, asked], ["denied", "planets.example.com", ["grow.example.com"]]);
    assert.match(message ?? "", /^Planet\.example\.com "earth" is invalid: \[spec\.size: Invalid value: "string": /);
  });

  test("refuses updates by transition rules, and leaves the status to its subresource", async () => {
    const given = { oldObject: planet({ size: 4 }, { status: { a: 1 } }), object: planet({ size: 3 }) };
    const { message } = await admit([], given, { definitions });
    assert.equal(message, 'Planet.example.com "earth" is invalid: spec: Invalid value: "object": must not shrink');
    const grown = { ...given, object: planet({ size: 5 }) };
    const { object } = await admit([], grown, { definitions });
    assert.deepEqual([object?.["spec"], object?.["status"]], [{ size: 5, unit: "cm" }, { a: 1 }]);
  });

  test("refuses members that its schema does not have", async () => {
    await assert.rejects(
      admit([], { object: planet({ size: 1, colour: "blue" }) }, { definitions }),
      new BadObjectError('Planet: unknown field "spec.colour"'),
    );
  });
});

test("a request about a namespace is in the namespace itself, as servers say it", async () => {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const namespaceRules = [
    { ...rules[0], operations: ["CREATE" as const], resources: ["namespaces"], apiGroups: [""], apiVersions: ["v1"] },
  ];
  const hook = validatingHook({
    name: "v.example.com",
    rules: namespaceRules.map((rule) => ({ ...rule, scope: "Cluster" as const })),
    handler: ({ namespace, object: shown }) => deny(`${namespace} ${"namespace" in objectAt(shown, "metadata")}`),
  });
  assert.equal((await admit([hook], { object })).message, "shop false");
});
