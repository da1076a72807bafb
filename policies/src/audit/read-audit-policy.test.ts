import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseAuditPolicy } from "./read-audit-policy.js";

const head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

const refused: readonly (readonly [name: string, text: string, errors: readonly string[]])[] = [
  ["no rules", `${head}rules: []`, ["loaded illegal policy with 0 rules"]],
  ["rules left out", head, ["loaded illegal policy with 0 rules"]],
  ["a rule without level", `${head}rules: [{verbs: [get]}]`, ["rules[0].level: Required value"]],
  [
    "everything that is wrong, the policy's stages first",
    `${head}
omitStages: [RequestReceived, Later]
rules:
- level: Loud
- level: Metadata
  nonResourceURLs: ["*", "/a*b", "healthz", "/ok*"]
  namespaces: [""]
- level: Request
  resources:
  - group: rbac.authorization.k8s.io/v1
    resourceNames: [a, b]
  omitStages: [Never]
`,
    [
      'omitStages[1]: Invalid value: "Later": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
      'rules[0].level: Unsupported value: "Loud": supported values: "None", "Metadata", "Request", "RequestResponse"',
      `rules[1].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
      `rules[1].nonResourceURLs[2]: Invalid value: "healthz": non-resource URL rules must begin with a '/' character`,
      'rules[1].nonResourceURLs: Invalid value: []string{"*", "/a*b", "healthz", "/ok*"}: rules cannot apply to both regular resources and non-resource URLs',
      `rules[2].resources.group: Invalid value: "rbac.authorization.k8s.io/v1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      'rules[2].resources.resourceNames: Invalid value: []string{"a", "b"}: using resourceNames requires at least one resource',
      'rules[2].omitStages[0]: Invalid value: "Never": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
  ],
  [
    "another kind",
    "apiVersion: v1\nkind: Pod",
    ['the document must be a Policy of audit.k8s.io/v1, not "Pod" of "v1"'],
  ],
  ["no kind", "rules: []", ["the document must be a Policy of audit.k8s.io/v1, and say so"]],
  ["a list", "- a", ["the document is not an object"]],
  [
    "a member of a wrong type",
    `${head}rules: [{level: Metadata, verbs: get}]`,
    ["json: cannot unmarshal string into Go struct field PolicyRule.rules.verbs of type []string"],
  ],
];

describe("a policy document is refused with everything that is wrong with it", () => {
  for (const [name, text, errors] of refused) {
    test(name, async () => {
      const reading = await parseAuditPolicy(text);
      assert.deepEqual(reading, { policy: undefined, errors, warnings: [] });
    });
  }

  test("text that is no YAML", async () => {
    const reading = await parseAuditPolicy("a: [");
    assert.ok(reading.policy === undefined && reading.errors.length === 1);
  });
});

test("what is not known, or comes twice, is warned of and left out", async () => {
  const reading = await parseAuditPolicy(`${head}rules:\n- level: None\n  level: Metadata\n  when: always\nmore: 1\n`);
  assert.deepEqual(reading.policy?.rules, [{ level: "Metadata" }]);
  assert.deepEqual(reading.warnings, [
    'line 5: key "level" already set in map',
    'unknown field "rules[0].when"',
    'unknown field "more"',
  ]);
});

test("a policy in JSON is one, too", async () => {
  const reading = await parseAuditPolicy('{"kind":"Policy","apiVersion":"audit.k8s.io/v1","rules":[{"level":"None"}]}');
  assert.deepEqual([reading.policy?.rules, reading.warnings], [[{ level: "None" }], []]);
});
