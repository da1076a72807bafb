import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { deployFolder, serviceNames, servicePorts } from "./deployment-files.js";
import { mayConnect, type NetworkPolicy, type Party } from "./network-policies.js";

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        }[];
      };
    };
  };
}

const namespace = "gatehouse";
const documents = (file: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(join(deployFolder, "kustomize", "base", file), "utf8")).map((each) => each.toJS());

const policies = documents("network-policies.yaml").map((document) => {
  const policy = document as NetworkPolicy;
  return { ...policy, metadata: { ...policy.metadata, namespace } };
});

const processes = serviceNames.map((name): Party => {
  const workload = (documents(`${name}.yaml`) as readonly Workload[]).find(({ kind }) =>
    ["Deployment", "StatefulSet"].includes(kind),
  );
  const { metadata, spec } = workload?.spec.template ?? assert.fail(`no pods of ${name}`);
  const ports = spec.containers.flatMap((container) => container.ports);
  return {
    name,
    namespace,
    labels: metadata.labels,
    ports: Object.fromEntries(ports.map((port) => [port.name, port.containerPort])),
  };
});

const others: readonly Party[] = [
  { name: "auditor", namespace, labels: { "gatehouse.dev/audit-reader": "true" }, ports: {} },
  { name: "another pod beside them", namespace, labels: {}, ports: {} },
  { name: "a pod elsewhere", namespace: "default", labels: { "gatehouse.dev/audit-reader": "true" }, ports: {} },
  {
    name: "one who calls itself the API server, elsewhere",
    namespace: "default",
    labels: processes[0]?.labels ?? {},
    ports: {},
  },
  { name: "somebody outside", labels: {}, ports: {} },
];

const nameServer: Party = { name: "DNS", namespace: "kube-system", labels: { "k8s-app": "kube-dns" }, ports: {} };
const issuer: Party = { name: "issuer", labels: {}, ports: {} };

test("network policies let those connect who must (docs/guides/deploy.md has the table), and nobody else", () => {
  const everybody = [...processes, ...others];
  const open: string[] = [];
  for (const from of everybody) {
    for (const to of processes) {
      for (const port of Object.values(servicePorts)) {
        if (from !== to && mayConnect(policies, from, to, port, "TCP")) {
          open.push(`${from.name} -> ${to.name}:${port}`);
        }
      }
    }
    for (const protocol of ["TCP", "UDP"]) {
      if (from.namespace === namespace && mayConnect(policies, from, nameServer, 53, protocol)) {
        open.push(`${from.name} -> DNS by ${protocol}`);
      }
    }
    for (const port of [80, 443, 8443]) {
      if (from.namespace === namespace && mayConnect(policies, from, issuer, port, "TCP")) {
        open.push(`${from.name} -> issuer:${port}`);
      }
    }
  }
  const byName = ["apiserver", "token-review", "auditor"].flatMap((name) => [
    `${name} -> DNS by TCP`,
    `${name} -> DNS by UDP`,
  ]);
  const called = serviceNames.filter((name) => name !== "apiserver");
  assert.deepEqual(
    open.sort(),
    [
      ...called.map((name) => `apiserver -> ${name}:${servicePorts[name]}`),
      "a pod elsewhere -> apiserver:6443",
      "one who calls itself the API server, elsewhere -> apiserver:6443",
      "somebody outside -> apiserver:6443",
      "auditor -> audit-sink:8447",
      "token-review -> issuer:443",
      ...byName,
    ].sort(),
  );
});
