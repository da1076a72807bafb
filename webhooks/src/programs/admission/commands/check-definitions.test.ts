import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { runCommand } from "./run-command.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-check-definitions-"));
after(() => rm(folder, { recursive: true }));

async function check(name: string, ...texts: readonly string[]) {
  const file = join(folder, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, texts.join("---\n"));
  const [out, err]: [string[], string[]] = [[], []];
  const print = (line: string): void => void out.push(line.replaceAll(file, "FILE"));
  const printError = (line: string): void => void err.push(line);
  const run = (...flags: readonly string[]) =>
    runCommand(["check", file, ...flags], { print, printError, process: thisProcess, env: {} });
  return { code: await run(), out, err, run };
}

/** Returns a definition of CronTabs. `rules`: those of the spec, in YAML. */
const definition = (rules: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {plural: crontabs, kind: CronTab}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [schedule]
            x-kubernetes-validations: [${rules}]
            properties:
              schedule: {type: string, pattern: "^[0-9* ]+$"}
              replicas: {type: integer, default: 3}
              minReplicas: {type: integer, default: 1}
          status: {type: object, x-kubernetes-validations: [{rule: "self.ready"}], properties: {ready: {type: boolean}}}
`;

const atLeast =
  "{rule: \"self.replicas >= self.minReplicas\", messageExpression: \"self.minReplicas > 3 ? 'at least 4' : 'at least 1'\", fieldPath: .replicas}";

const cronTab = (name: string, spec: string, more = ""): string =>
  `apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: ${name}}\nspec: {${spec}}\n${more}`;

describe("check puts manifests to the definitions among them", () => {
  test("with the defaults of the schema, its rules, and the words of a server", async () => {
    const { code, out, err } = await check(
      "rules.yaml",
      cronTab("good", 'schedule: "* 5"'),
      cronTab("few", 'schedule: "* 5", minReplicas: 4'),
      cronTab("odd", "schedule: daily"),
      cronTab("typed", "schedule: 5"),
      cronTab("unknown", 'schedule: "* 5", replica: 4'),
      // The status is none of the client's business, unless it is written by /status.
      cronTab("with-status", 'schedule: "* 5"', "status: {ready: false}\n"),
      definition(atLeast),
    );
    const invalid = (name: string, text: string): string =>
      `error: CronTab ${name}: crontabs.stable.example.com: CronTab.stable.example.com "${name}" is invalid: ${text}`;
    const unchecked =
      '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    assert.deepEqual(
      { code, lines: out.join("\n").split("\n"), err },
      {
        code: 1,
        lines: [
          `FILE:6: ${invalid("few", 'spec.replicas: Invalid value: "object": at least 4')}`,
          `FILE:11: ${invalid("odd", "spec.schedule: Invalid value: \"daily\": spec.schedule in body should match '^[0-9* ]+$'")}`,
          `FILE:16: ${invalid("typed", `[spec.schedule: Invalid value: "integer": spec.schedule in body must be of type string: "integer", ${unchecked}]`)}`,
          'FILE:21: error: CronTab unknown: manifest: CronTab: unknown field "spec.replica"',
          "7 objects checked, 4 would be refused",
        ],
        err: [],
      },
    );
  });

  test("and tells where a rule of a definition does not compile", async () => {
    const { code, out, run } = await check(
      "broken.yaml",
      cronTab("few", 'schedule: "* 5", minReplicas: 4'),
      definition('{rule: "self.replica > 0"}, {rule: "true", messageExpression: "1"}'),
    );
    assert.equal(code, 1);
    const at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations";
    const line = "FILE:6: error: CustomResourceDefinition crontabs.stable.example.com: manifest: ";
    assert.deepEqual(out.join("\n").split("\n"), [
      `${line}${at}[0].rule: compilation failed: ERROR: <input>:1:5: undefined field 'replica'`,
      " | self.replica > 0",
      " | ....^",
      `${line}${at}[1].messageExpression: messageExpression must evaluate to a string`,
      "2 objects checked, 1 would be refused",
    ]);
    out.length = 0;
    await run("--output=sarif");
    const [{ tool }] = JSON.parse(out.join("\n")).runs;
    assert.ok(tool.driver.rules.some(({ id }: { readonly id: string }) => id === "crontabs.stable.example.com"));
  });

  test("and tells which rules and messages of a definition may cost too much", async () => {
    const all = "self.schedule.split('').all(a, self.schedule.split('').all(b, a == b))";
    const { code, out } = await check(
      "costly.yaml",
      cronTab("few", 'schedule: "* 5", minReplicas: 4'),
      definition(`{rule: "${all}"}, {rule: "true", messageExpression: "${all} ? 'a' : 'b'"}`),
    );
    assert.equal(code, 1);
    const advice =
      "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared";
    const schema = "spec.versions[0].schema.openAPIV3Schema";
    const at = `${schema}.properties[spec].x-kubernetes-validations`;
    const line = "FILE:6: error: CustomResourceDefinition crontabs.stable.example.com: manifest: ";
    const budget = `exceeds budget by factor of more than 100x (${advice})`;
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    assert.deepEqual(out.join("\n").split("\n"), [
      `${line}${at}[0].rule: estimated rule cost ${budget}`,
      `${line}${at}[1].messageExpression: estimated messageExpression cost ${budget}`,
      `${line}${at}[0].rule: ${contributed}`,
      `${line}${at}[1].messageExpression: ${contributed}`,
      `${line}${schema}: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ${budget}`,
      "2 objects checked, 1 would be refused",
    ]);
  });
});
