import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { runProgram } from "@gatehouse/component-base/commands";
import { thisProcess } from "@gatehouse/component-base/shutdown";
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
