import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { runCommand } from "./commands/run-command.js";

// Definitions of custom resources, tested and explained without a server.

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-definitions-"));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function run(word: string, ...args: readonly string[]): Promise<{ code: number; lines: readonly string[] }> {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(...text.replaceAll(`${folder}/`, "").split("\n"));
  const io = { print, printError: print, process: thisProcess, env: {} };
  const code = await runCommand(
    [word, ...args.map((arg) => (/^\w+\.yaml$|^\.$/.test(arg) ? join(folder, arg) : arg))],
    io,
  );
  return { code, lines };
}

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: crontabs.stable.example.com }
spec:
  group: stable.example.com
  names: { plural: crontabs, kind: CronTab }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-validations:
            - rule: "self.metadata.name.startsWith('cron-')"
              message: must be called cron-...
          properties:
            spec:
              type: object
              x-kubernetes-validations:
                - rule: self.minReplicas <= self.replicas
                  messageExpression: "self.minReplicas > 1 ? 'at least 2' : 'at least 1'"
                  fieldPath: .replicas
                  reason: FieldValueForbidden
                - rule: self.replicas >= oldSelf.replicas || self.replicas == 0
                  message: must not shrink
              properties:
                replicas: { type: integer, maximum: 50 }
                minReplicas: { type: integer, default: 1 }
                zone:
                  type: string
                  x-kubernetes-validations:
                    - { rule: "oldSelf.hasValue() || self != 'west'", message: closed, optionalOldSelf: true }
            status:
              type: object
              x-kubernetes-validations: [{ rule: "self.ready >= 0", reason: FieldValueRequired }]
              properties: { ready: { type: integer } }
`;

/** Returns a file of cases about CronTabs. `cases`: their lines. */
const casesOf = (...cases: readonly string[]): string => `apiVersion: config.gatehouse.dev/v1alpha1
kind: PolicyCases
definitions: [crontabs.stable.example.com]
objects:
  cron:
    apiVersion: stable.example.com/v1
    kind: CronTab
    metadata: { name: cron-a }
    spec: { replicas: 3 }
cases:
${cases.map((line) => `  - ${line}\n`).join("")}`;

const few = "{ name: few, given: { base: cron, object: { spec: { replicas: 0 } } }, expect: ";
const path = "spec.versions[0].schema.openAPIV3Schema.";

describe("gatehouse-policy test evaluates definitions", () => {
  test("by their rules, with messages, paths, reasons, old values, the status, and cost", async () => {
    await write({
      "d.yaml": definition,
      "cases/c.yaml": casesOf(
        "{ name: plain, given: { base: cron }, expect: { allowed: true, maxCost: 20 } }",
        `${few}{ allowed: false, message: at least 1, path: spec.replicas, reason: FieldValueForbidden } }`,
        "{ name: named, given: { base: cron, object: { metadata: { name: a } } }, expect: { allowed: false, violations: [{ message: must be called cron-..., path: '', reason: FieldValueInvalid }] } }",
        "{ name: smaller, given: { base: cron, oldObject: {}, object: { spec: { replicas: 2 } } }, expect: { allowed: false, message: must not shrink, path: spec } }",
        "{ name: both, given: { base: cron, oldObject: {}, object: { spec: { replicas: 1, minReplicas: 2 } } }, expect: { allowed: false, violations: [{ message: at least 2 }, { message: must not shrink }] } }",
        "{ name: none left, given: { base: cron, oldObject: {}, object: { spec: { replicas: 0, minReplicas: 0 } } }, expect: { allowed: true } }",
        "{ name: status, given: { base: cron, subResource: status, oldObject: {}, object: { spec: { replicas: 1 }, status: { ready: -1 } } }, expect: { allowed: false, violations: [{ message: 'failed rule: self.ready >= 0', path: status, reason: FieldValueRequired }] } }",
        "{ name: status by the object, given: { base: cron, object: { status: { ready: -1 } } }, expect: { allowed: true } }",
      ),
    });
    assert.deepEqual(await run("test", "."), {
      code: 0,
      lines: [
        "ok crontabs.stable.example.com: 8 cases, coverage 66% (14 of 21)",
        "8 passed, 0 failed, coverage 66% of 1 definition",
      ],
    });
    const { code, lines } = await run("test", ".", "--min-coverage=90");
    assert.equal(code, 1);
    assert.deepEqual(lines.slice(1, -1), [
      "  coverage: expected at least 90%, was 66%",
      `  not covered: ${path}properties[spec].properties[zone].x-kubernetes-validations[0].rule`,
      "      oldSelf.hasValue() || self != 'west'",
      "      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never evaluated",
      "      ^^^^^^^^^^^^^^^^^^ never evaluated",
      "                            ^^^^^^^^^^^^^^ never evaluated",
      `  not covered: ${path}properties[status].x-kubernetes-validations[0].rule`,
      "      self.ready >= 0",
      "      ^^^^^^^^^^^^^^^ never true",
    ]);
  });

  test("unless a server refuses their rules for the estimated cost", async () => {
    const costly = "self.zone.split('').all(a, self.zone.split('').all(b, a == b))";
    await write({
      "d.yaml": definition.replace("self.minReplicas <= self.replicas", costly),
      "c.yaml": casesOf("{ name: plain, given: { base: cron }, expect: { allowed: true } }"),
    });
    const { code, lines } = await run("test", ".");
    assert.equal(code, 1);
    const problem = `${path}properties[spec].x-kubernetes-validations[0].rule: estimated rule cost exceeds budget by factor of more than 100x`;
    assert.ok(
      lines.some((line) => line.includes(problem)),
      lines.join("\n"),
    );
  });

  test("by their schemas, in the words of a server", async () => {
    await write({
      "d.yaml": definition,
      "c.yaml": casesOf(
        "{ name: many, given: { base: cron, object: { spec: { replicas: 51 } } }, expect: { allowed: false, message: 'Invalid value: 51: spec.replicas in body should be less than or equal to 50', path: spec.replicas } }",
        "{ name: text, given: { base: cron, object: { spec: { replicas: few } } }, expect: { allowed: false, reason: FieldValueTypeInvalid } }",
        "{ name: unknown, given: { base: cron, object: { spec: { size: 1 } } }, expect: { allowed: true } }",
      ),
    });
    const { code, lines } = await run("test", ".");
    assert.equal(code, 1);
    assert.deepEqual(lines.slice(1), [
      "  not ok c.yaml: cases[2]: unknown",
      '      given: CronTab: unknown field "spec.size"',
      "      cost 0",
      "2 passed, 1 failed, coverage 9% of 1 definition",
    ]);
  });

  test("with optionalOldSelf as the feature gate of the server has it", async () => {
    await write({
      "d.yaml": definition,
      "c.yaml": casesOf(
        "{ name: new, given: { base: cron, object: { spec: { zone: west } } }, expect: { allowed: false, message: closed, path: spec.zone } }",
      ),
    });
    const { code, lines } = await run("test", ".");
    assert.deepEqual([code, lines[2]], [1, "      allowed: expected false, was true"]);
    assert.equal((await run("test", ".", "--feature-gates=CRDValidationRatcheting=true")).code, 0);
    assert.match(
      (await run("test", ".", "--feature-gates=AllAlpha=true")).lines.join("\n"),
      /AllAlpha is not known here: only CRDValidationRatcheting changes what cases are about/,
    );
  });

  test("and tells in which respect a verdict is another one, in text and JUnit", async () => {
    await write({
      "d.yaml": definition,
      "c.yaml": casesOf(
        `${few}{ allowed: false, path: spec } }`,
        "{ name: gone, given: { base: cron, operation: DELETE, oldObject: {} }, expect: { allowed: true } }",
      ),
    });
    const { code, lines } = await run("test", ".");
    assert.equal(code, 1);
    assert.deepEqual(lines.slice(1, -1), [
      "  not ok c.yaml: cases[0]: few",
      '      path: expected "spec", was "spec.replicas"',
      "      cost 12",
      "  not ok c.yaml: cases[1]: gone",
      "      no definition was evaluated: crontabs.stable.example.com are not about this request",
      "      cost 0",
    ]);
    const junit = (await run("test", ".", "--output=junit")).lines.join("\n");
    assert.match(junit, /<testcase classname="c.yaml" name="few"><failure message="path: expected &quot;spec&quot;/);
    assert.match(junit, /<testcase classname="coverage" name="crontabs.stable.example.com">/);
  });

  test("before policies, which see defaults and no object that the definition refuses", async () => {
    const policy = `apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicy
metadata: { name: shops }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [crontabs] }]
  validations: [{ expression: object.spec.minReplicas > 1, message: "too few" }]
`;
    await write({
      "d.yaml": definition,
      "p.yaml": policy,
      "c.yaml": casesOf(
        "{ name: default, given: { base: cron }, expect: { allowed: false, message: too few } }",
        `${few}{ allowed: false, violations: [{ message: at least 1 }] } }`,
        "{ name: good, given: { base: cron, object: { spec: { minReplicas: 2 } } }, expect: { allowed: true } }",
      ).replace("definitions:", "policies: [shops]\ndefinitions:"),
    });
    const { code, lines } = await run("test", ".");
    assert.deepEqual([code, lines.at(-1)], [0, "3 passed, 0 failed, coverage 30% of 1 policy and 1 definition"]);
  });

  test("and refuses rules that no server takes, with their places", async () => {
    await write({
      "d.yaml": definition.replace("self.minReplicas <= self.replicas", "self.least"),
      "c.yaml": casesOf(`${few}{ allowed: true } }`),
    });
    const { code, lines } = await run("test", ".");
    assert.equal(code, 1);
    assert.match(
      lines.join("\n"),
      /d\.yaml:1: spec\.versions\[0\]\.schema\.openAPIV3Schema\.properties\[spec\]\.x-kubernetes-validations\[0\]\.rule: compilation failed: .*undefined field 'least'/,
    );
  });
});

test("gatehouse-policy explain tells why a definition refuses an object", async () => {
  const object =
    "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: { name: cron-a }\nspec: { replicas: 0 }\n";
  await write({ "d.yaml": definition, "o.yaml": object });
  const { code, lines } = await run("explain", "d.yaml", `--object=${join(folder, "o.yaml")}`);
  assert.equal(code, 0);
  assert.deepEqual(lines.slice(0, 4), [
    "crontabs.stable.example.com: denied",
    '  422 Invalid: CronTab.stable.example.com "cron-a" is invalid: spec.replicas: Forbidden: at least 1',
    "  violation: FieldValueForbidden: spec.replicas: at least 1",
    "  cost 12",
  ]);
  const start = lines.indexOf(`${path}properties[spec].x-kubernetes-validations[0].rule = false, cost 5`);
  assert.ok(start > 0, lines.join("\n"));
  assert.deepEqual(lines.slice(start + 1, start + 4), [
    "  self.minReplicas <= self.replicas = false",
    "    self.minReplicas = 1",
    "    self.replicas = 0",
  ]);
  const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n";
  await write({ "o.yaml": other });
  const refused = await run("explain", "d.yaml", `--object=${join(folder, "o.yaml")}`);
  assert.deepEqual(refused, {
    code: 1,
    lines: ["gatehouse-policy: d.yaml: path: there is no policy, and no definition of the kind of the object"],
  });
});
