import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { runCommand } from "./run-command.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-check-policies-"));
after(() => rm(folder, { recursive: true }));

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const print = (line: string): void => void out.push(line);
  const printError = (line: string): void => void err.push(line);
  const code = await runCommand(argv, { print, printError, process: thisProcess, env: {} });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
  return file;
}

const group = "apiVersion: admissionregistration.k8s.io/v1beta1\n";

/** Returns a policy about Deployments in YAML. `spec`: its lines after the rules. */
function policyText(name: string, ...spec: readonly string[]): string {
  return `${group}kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
${spec.map((line) => `  ${line}\n`).join("")}`;
}

const bindingText = (policy: string, actions: string, more = ""): string =>
  `${group}kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${policy}}
spec: {policyName: ${policy}, validationActions: [${actions}]${more}}
`;

function deploymentText(name: string, replicas: number, namespace = "shop"): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "c:1"}]}}
`;
}

const documents = (...texts: readonly string[]): string => texts.join("---\n");
const denialOf = (name: string, policy: string, message: string): string =>
  `${policy}: deployments.apps "${name}" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${message}`;

const limit = policyText(
  "limit.example.com",
  "paramKind: {apiVersion: v1, kind: ConfigMap}",
  "validations:",
  "- expression: object.spec.replicas <= int(params.data.max)",
  "  messageExpression: \"'more than ' + params.data.max\"",
);
const limitBinding = bindingText(
  "limit.example.com",
  "Deny",
  ", paramRef: {name: limits, parameterNotFoundAction: Deny}",
);
const limits = (namespace: string, max: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: ${namespace}}\ndata: {max: "${max}"}\n`;

describe("check puts manifests to policies among them", () => {
  test("with the parameters of their namespace, without any hook", async () => {
    const manifests = documents(
      deploymentText("web", 5),
      deploymentText("few", 5, "large"),
      deploymentText("lone", 1, "none"),
    );
    const file = await write("params/a-manifests.yaml", manifests);
    await write("params/b-policy.yaml", documents(limit, limitBinding, limits("shop", 3), limits("large", 9)));
    const missing =
      "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    assert.deepEqual(await run("check", join(folder, "params")), {
      code: 1,
      out: `${file}:1: error: Deployment shop/web: ${denialOf("web", "limit.example.com", "more than 3")}
${file}:17: error: Deployment none/lone: ${denialOf("lone", "limit.example.com", missing)}
7 objects checked, 2 would be refused`,
      err: "",
    });
  });

  test("and tells of what they warn of and note in the audit event", async () => {
    const rule = ["validations:", "- {expression: object.spec.replicas < 3, message: too many}"];
    const policies = [
      policyText("audit.example.com", ...rule),
      bindingText("audit.example.com", "Audit"),
      policyText("warn.example.com", ...rule),
      bindingText("warn.example.com", "Warn"),
    ];
    const file = await write("actions.yaml", documents(deploymentText("web", 5), ...policies));
    const warning =
      "Validation failed for ValidatingAdmissionPolicy 'warn.example.com' with binding 'warn.example.com': too many";
    assert.deepEqual(await run("check", file), {
      code: 0,
      out: `${file}:1: warning: Deployment shop/web: warn.example.com: ${warning}
${file}:1: note: Deployment shop/web: audit.example.com: would be noted in the audit event: too many
5 objects checked, 0 would be refused`,
      err: "",
    });
    const junit = (await run("check", file, "--output=junit")).out;
    assert.match(
      junit,
      /<system-out>[^<]*:1: warning: warn\.example\.com: .*\n[^<]*:1: note: audit\.example\.com: would be noted/,
    );
    const sarif = JSON.parse((await run("check", file, "--output=sarif")).out).runs[0];
    assert.deepEqual(
      sarif.results.map(({ ruleId, level }: Record<string, string>) => [ruleId, level]),
      [
        ["warn.example.com", "warning"],
        ["audit.example.com", "note"],
      ],
    );
    const rules = sarif.tool.driver.rules.map(({ id }: { id: string }) => id);
    assert.deepEqual(rules, ["manifest", "audit.example.com", "warn.example.com"]);
  });

  test("and refuses policies that no server would take, by the path of each mistake", async () => {
    const broken = policyText(
      "broken.example.com",
      "matchConditions: [{name: c, expression: objekt}]",
      "variables: [{name: v, expression: object.}]",
      "validations: [{expression: '1'}]",
    );
    const file = await write(
      "broken.yaml",
      documents(
        broken,
        bindingText("broken.example.com", "Deny"),
        deploymentText("web", 1),
        policyText("unknown.example.com", "validation: []"),
      ),
    );
    const { code, out } = await run("check", file);
    assert.equal(code, 1);
    const told = out.split("\n").filter((line) => line.startsWith(file));
    const at = `${file}:1: error: ValidatingAdmissionPolicy broken.example.com: manifest: spec`;
    assert.deepEqual(told, [
      `${at}.matchConditions[0].expression: Invalid value: "objekt": compilation failed: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')`,
      `${at}.variables[0].expression: Invalid value: "object.": compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'`,
      `${at}.validations[0].expression: Invalid value: "1": must evaluate to bool`,
      `${file}:24: error: ValidatingAdmissionPolicy unknown.example.com: manifest: ValidatingAdmissionPolicy: unknown field "spec.validation"`,
    ]);
  });

  test("and names those that ask for what only a server knows", async () => {
    const check = "authorizer.group('').resource('pods').check('get').allowed()";
    const asking = policyText("asking.example.com", `validations: [{expression: "${check}"}]`);
    const file = await write(
      "asking.yaml",
      documents(asking, bindingText("asking.example.com", "Deny"), deploymentText("web", 5)),
    );
    const { code, out } = await run("check", file);
    const told = "asking.example.com: cannot be told here, since it asks for the variable authorizer";
    assert.equal(out.split("\n")[0], `${file}:14: warning: Deployment shop/web: ${told}`);
    assert.equal(code, 0);
  });
});

describe("check --policies puts manifests to policies elsewhere", () => {
  test("together with hooks, of which it says when their match conditions exclude an object", async () => {
    const toolkit = import.meta.resolve("@gatehouse/webhooks");
    const module = await write(
      "hooks.mjs",
      `import { deny, validatingHook } from ${JSON.stringify(toolkit)};
export const hooks = [validatingHook({
  name: "hook.example.com",
  rules: [{ operations: ["CREATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] }],
  matchConditions: [{ name: "is-large", expression: "object.spec.replicas > 3" }],
  handler: () => deny("by the hook"),
})];
`,
    );
    const policies = await write("elsewhere/policy.yaml", documents(limit, limitBinding, limits("shop", 7)));
    const manifests = documents(deploymentText("few", 2), deploymentText("some", 5), deploymentText("many", 9));
    const file = await write("elsewhere-manifests.yaml", manifests);
    assert.deepEqual(await run("check", file, "--policies", policies, "--module", module), {
      code: 1,
      out: `${file}:1: note: Deployment shop/few: hook.example.com: is not asked: its match conditions exclude the object
${file}:9: error: Deployment shop/some: hook.example.com: by the hook
${file}:17: error: Deployment shop/many: ${denialOf("many", "limit.example.com", "more than 7")}
3 objects checked, 2 would be refused`,
      err: "",
    });
  });

  test("and refuses a folder without policies, and policies that no server would take", async () => {
    const file = await write("without/manifests.yaml", deploymentText("web", 1));
    assert.deepEqual(await run("check", file, "--policies", file), {
      code: 2,
      out: "",
      err: `gatehouse-admission: ${file}: --policies: there is no ValidatingAdmissionPolicy and no CustomResourceDefinition`,
    });
    const wrong = await write("wrong-policy.yaml", policyText("wrong.example.com", "validations: [{expression: '1'}]"));
    const at = "line 1: ValidatingAdmissionPolicy wrong.example.com: spec.validations[0].expression";
    assert.deepEqual(await run("check", file, "--policies", wrong), {
      code: 2,
      out: "",
      err: `gatehouse-admission: ${wrong}: ${at}: Invalid value: "1": must evaluate to bool`,
    });
  });
});
