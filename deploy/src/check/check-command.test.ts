import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { runProgram } from "@gatehouse/component-base/commands";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { startControlPlane } from "@gatehouse/testing";
import { checkCommand } from "./check-command.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-check-test-"));
after(() => rmSync(folder, { recursive: true }));

/** Writes a file below a folder of its own, and returns its path. */
function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function check(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    print: (line: string) => void out.push(line.replaceAll(folder, "DIR")),
    printError: (line: string) => void err.push(line.replaceAll(folder, "DIR")),
    process: thisProcess,
    env: {},
  };
  return { code: await runProgram("gatehouse", checkCommand, argv, io), out: out.join("\n"), err: err.join("\n") };
}

test("a folder is judged as a server judges it: fields, values, quotas, versions and namespaces, in one run", async () => {
  write(
    "first/all.yaml",
    `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: -3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: nginx:1.25
        imagePullPolicyy: Always
  replicas: -2
---
apiVersion: v1
kind: Pod
metadata: {generateName: a-, namespace: shop}
spec: {containers: [{name: a, image: b}]}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: x}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: shop}
spec: {hard: {pods: "0"}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: {name: fs}
spec: {priorityLevelConfiguration: {name: exempt}}
`,
  );
  const { code, out, err } = await check(join(folder, "first"));
  assert.equal(err, "");
  assert.deepEqual(out.split("\n"), [
    'DIR/first/all.yaml:16: error: Deployment shop/web: fields: key "replicas" already set in map',
    'DIR/first/all.yaml:15: error: Deployment shop/web: fields: unknown field "spec.template.spec.containers[0].imagePullPolicyy"',
    "DIR/first/all.yaml:16: error: Deployment shop/web: validation: spec.replicas: Invalid value: -2: must be greater than or equal to 0",
    'DIR/first/all.yaml:18: error: Pod shop/a-: admission: pods "a-xxxxx" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
    'DIR/first/all.yaml:23: error: PodDisruptionBudget x: kind: no matches for kind "PodDisruptionBudget" in version "policy/v1beta1": not served since Kubernetes 1.25; use policy/v1',
    "DIR/first/all.yaml:27: note: ResourceQuota shop/q: namespace: the namespace shop is not among the documents; the check has made it",
    "DIR/first/all.yaml:32: warning: FlowSchema fs: deprecation: flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema",
    "5 objects checked, 3 would be refused",
  ]);
  assert.equal(code, 1);
});

test("definitions, namespaces, policies, parameters and bindings judge what comes with them, whatever their order", async () => {
  const path = write(
    "ordered.yaml",
    `apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: late, namespace: team}
spec: {replicas: 12}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: bad, namespace: team}
---
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: limit, namespace: team}
spec: {replicas: 1}
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: by-limit}
spec: {policyName: by-limit, validationActions: [Deny], paramRef: {name: limit, namespace: team, parameterNotFoundAction: Deny}}
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicy
metadata: {name: by-limit}
spec:
  paramKind: {apiVersion: stable.example.com/v1, kind: CronTab}
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "params.spec.replicas > 1", message: too small}]
---
apiVersion: v1
kind: Pod
metadata: {name: root, namespace: team}
spec: {hostNetwork: true, containers: [{name: a, image: b}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: team, labels: {pod-security.kubernetes.io/enforce: baseline}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://nobody.invalid/"}}}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {replicas: {type: integer}}
              x-kubernetes-validations: [{rule: self.replicas <= 10, message: at most ten}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: nobody}
webhooks:
  - name: nobody.example.com
    clientConfig: {url: "https://nobody.invalid/"}
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
    sideEffects: None
    admissionReviewVersions: [v1]
`,
  );
  const { code, out } = await check(path);
  assert.deepEqual(out.split("\n"), [
    'DIR/ordered.yaml:4: error: CronTab team/late: validation: spec: Invalid value: "object": at most ten',
    "DIR/ordered.yaml:6: error: ConfigMap team/bad: admission: configmaps \"bad\" is forbidden: ValidatingAdmissionPolicy 'by-limit' with binding 'by-limit' denied request: too small",
    'DIR/ordered.yaml:28: error: Pod team/root: admission: pods "root" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    "9 objects checked, 3 would be refused",
  ]);
  assert.equal(code, 1);
  const inOrder = await check(path, "--keep-order", "--strict-namespaces");
  assert.equal(
    inOrder.out.split("\n")[0],
    'DIR/ordered.yaml:1: error: CronTab team/late: kind: no matches for kind "CronTab" in version "stable.example.com/v1"',
  );
  assert.equal(
    inOrder.out.split("\n")[1],
    'DIR/ordered.yaml:6: error: ConfigMap team/bad: namespace: namespaces "team" not found',
  );
});

test("hooks are asked by the server, and documents that are in force are not reported", async () => {
  const toolkit = JSON.stringify(import.meta.resolve("@gatehouse/webhooks"));
  const hooks = write(
    "hooks.mjs",
    `import { allow, deny, mutatingHook, mutator, validatingHook, validator } from ${toolkit};
const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
const label = mutator((object) => {
  object.metadata.labels = { ...object.metadata.labels, seen: "yes" };
});
const refuse = validator((object) =>
  object.metadata.name === "throws"
    ? Promise.reject(new Error("broken"))
    : object.metadata.labels.seen === "yes" && object.metadata.name === "bad" ? deny("no bad names") : allow());
export const hooks = [
  mutatingHook({ name: "label.example.com", rules, handler: label }),
  validatingHook({ name: "names.example.com", rules, handler: refuse }),
];
`,
  );
  const given = write("given/namespace.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: given}\n");
  const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: given, name: ";
  const path = write("hooked.yaml", `${head}good}\n---\n${head}bad}\n---\n${head}throws}\n`);
  const { code, out, err } = await check("--hooks", hooks, "--with", given, "--strict-namespaces", path);
  assert.match(err, /names\.example\.com.*broken/);
  assert.deepEqual(out.split("\n"), [
    'DIR/hooked.yaml:5: error: ConfigMap given/bad: admission: admission webhook "names.example.com" denied the request: no bad names',
    'DIR/hooked.yaml:9: error: ConfigMap given/throws: admission: Internal error occurred: failed calling webhook "names.example.com": failed to call webhook: Internal error occurred: hook "names.example.com" failed to decide; its log has the details',
    "3 objects checked, 2 would be refused",
  ]);
  assert.equal(code, 1);
});

test("what is said to be in force must be taken by the server", async () => {
  const given = write("faulty.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: A}\n");
  const { code, err } = await check("--with", given, given);
  assert.equal(code, 2);
  assert.match(
    err,
    /^gatehouse: --with: DIR\/faulty\.yaml:1: metadata\.name: Invalid value: "A": a lowercase RFC 1123 label/,
  );
});

test("an object that comes twice is updated, and items of lists have their own lines", async () => {
  const path = write(
    "twice.yaml",
    `apiVersion: v1
kind: Secret
metadata: {name: a}
immutable: true
stringData: {password: correct-horse}
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Secret
    metadata: {name: a}
    immutable: true
    stringData: {password: battery-staple}
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: b}
    dada: {}
  - apiVersion: v1
    kind: Secret
    metadata: {name: c}
    data: {password: "battery staple"}
`,
  );
  const { out } = await check(path);
  assert.deepEqual(out.split("\n"), [
    "DIR/twice.yaml:10: note: Secret a: object: updates the object of DIR/twice.yaml:1",
    "DIR/twice.yaml:10: error: Secret a: validation: data: Forbidden: field is immutable when `immutable` is set",
    'DIR/twice.yaml:18: error: ConfigMap b: fields: unknown field "dada"',
    "DIR/twice.yaml:19: error: Secret c: fields: illegal base64 data at input byte 7",
    "4 objects checked, 3 would be refused",
  ]);
  assert.doesNotMatch(out, /battery|staple|horse/);
});

test("what only other programs can read is named and not checked", async () => {
  write("chart/Chart.yaml", "apiVersion: v2\nname: chart\n");
  write("chart/values.yaml", "replicas: 1\n");
  write("chart/templates/web.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\n");
  write("kustomize/kustomization.yaml", "resources: [a.yaml]\n");
  write("kustomize/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  write("loose.yaml", "kind: {{ .Values.kind }}\napiVersion: v1\n");
  const { code, out } = await check(join(folder, "chart"), join(folder, "kustomize"), join(folder, "loose.yaml"));
  const chart = "part of a Helm chart; pipe the output of helm template into gatehouse check -";
  assert.deepEqual(out.split("\n"), [
    `DIR/chart/Chart.yaml:1: skipped: ${chart}`,
    `DIR/chart/templates/web.yaml:1: skipped: ${chart}`,
    `DIR/chart/values.yaml:1: skipped: ${chart}`,
    "DIR/kustomize/kustomization.yaml:1: skipped: kustomize builds from it; pipe the output of kustomize build into gatehouse check -",
    `DIR/loose.yaml:1: skipped: ${chart}`,
    "1 object checked, 0 would be refused, 5 documents skipped",
  ]);
  assert.equal(code, 0);
});

for (const [what, argv, message] of [
  ["without a path", [], "gatehouse: arguments: PATH...: is required"],
  ["of a path that is not there", ["DIR/nowhere"], "gatehouse: DIR/nowhere: path: there is no such file or folder"],
  [
    "by another release",
    ["--kubernetes-version=1.31", "DIR/twice.yaml"],
    "gatehouse: flags: --kubernetes-version: there are the rules of Kubernetes 1.29 only, not those of 1.31",
  ],
  [
    "with a flag that the server refuses",
    ["--feature-gates=Nonsense=true", "DIR/twice.yaml"],
    "gatehouse: flags: --feature-gates: unrecognized feature gate: Nonsense",
  ],
  [
    "of nothing",
    ["DIR/loose.yaml"],
    "gatehouse: DIR/loose.yaml: 2 problems:\n  - PATH: there is no manifest to check\n  - DIR/loose.yaml:1: part of a Helm chart; pipe the output of helm template into gatehouse check -",
  ],
] as const) {
  test(`a check ${what} is a mistake that is told, with exit code 2`, async () => {
    const { code, err } = await check(...argv.map((argument) => argument.replace("DIR", folder)));
    assert.deepEqual({ code, err }, { code: 2, err: message });
  });
}

test("kinds that nobody defines are skipped on request, and warnings are errors on request", async () => {
  const path = write(
    "lenient.yaml",
    `apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: a, image: b, env: [{name: X, value: "1"}, {name: X, value: "2"}]}]}
`,
  );
  const { code, out } = await check("--ignore-missing-kinds", "--warnings-as-errors", path);
  assert.deepEqual(out.split("\n"), [
    'DIR/lenient.yaml:8: error: Pod a: server-warning: spec.containers[0].env[1]: hides previous definition of "X"',
    'DIR/lenient.yaml:1: skipped: no matches for kind "Widget" in version "example.com/v1"',
    "1 object checked, 1 would be refused, 1 document skipped",
  ]);
  assert.equal(code, 1);
});

test("definitions, namespaces and policies of a cluster are in force, its secrets and webhooks are not read", async () => {
  await using cluster = await startControlPlane({
    flags: [
      "--feature-gates=ValidatingAdmissionPolicy=true",
      "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
    ],
    objects: [
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "safe", labels: { "pod-security.kubernetes.io/enforce": "baseline" } },
      },
    ],
  });
  const path = write(
    "of-cluster.yaml",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: safe}\nspec: {hostNetwork: true, containers: [{name: a, image: b}]}\n",
  );
  const { out, err } = await check("--against", await cluster.kubeconfigFile(), "--strict-namespaces", path);
  assert.deepEqual(
    [err, ...out.split("\n")],
    [
      "",
      'DIR/of-cluster.yaml:1: error: Pod safe/a: admission: pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      "1 object checked, 1 would be refused",
    ],
  );
});

test("a watch checks again after each change, tells mistakes, and ends with a signal", async () => {
  const path = write("watched/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A}\n");
  const lines = new EventEmitter();
  const seen: string[] = [];
  const stopped = new EventEmitter();
  const say = (line: string): void => {
    seen.push(line.replaceAll(folder, "DIR"));
    lines.emit("line");
  };
  const codes: number[] = [];
  const io = {
    print: say,
    printError: say,
    process: {
      on: (signal: string, listener: () => void) => stopped.on(signal, listener),
      off: (signal: string, listener: () => void) => stopped.off(signal, listener),
      exit: (code: number) => void codes.push(code),
      endAtOnce: () => assert.fail("must end in order"),
      endAfter: () => ({ [Symbol.dispose]() {} }),
    },
    env: {},
  };
  const until = async (end: RegExp): Promise<void> => {
    while (!end.test(seen.at(-1) ?? "")) {
      await once(lines, "line");
    }
  };
  const running = runProgram("gatehouse", checkCommand, ["--watch", join(folder, "watched")], io);
  await until(/1 would be refused$/);
  writeFileSync(path, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  await until(/0 would be refused$/);
  writeFileSync(path, "{{ nothing }}\n");
  await until(/helm template/);
  stopped.emit("SIGINT");
  assert.equal(await running, 0);
  assert.deepEqual(codes, [0]);
  assert.deepEqual(
    seen.filter((line) => line.startsWith("something")),
    ["something has changed, checking again", "something has changed, checking again"],
  );
});
