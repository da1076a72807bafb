import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { refusal } from "@gatehouse/apiserver";
import type { AuditOutputType } from "@gatehouse/apiserver/audit";
import { parseFlags } from "@gatehouse/component-base/flags";
import { silentLogger } from "@gatehouse/component-base/logs";
import { type ControlPlanePlugin, resolveServerConfig, serverFlags, startServer } from "./index.js";

const noRed: ControlPlanePlugin = {
  name: "NoRed",
  isOnByDefault: false,
  make: () => ({
    name: "NoRed",
    concerns: ({ operation, resource }) => operation === "CREATE" && resource.resource === "configmaps",
    validate(attributes) {
      if (attributes.name === "red") {
        throw refusal(attributes, "red is taken");
      }
    },
  }),
};

const memoryFlags = {
  "audit-memory": { type: "bool", default: false, group: "Auditing", help: "Keep events in memory." },
} as const;

test("a control plane runs an admission plugin and an audit output of one's own, switched on by their flags", async () => {
  const folder = await mkdtemp(join(tmpdir(), "own-plugin-"));
  const documents: string[] = [];
  const memory: AuditOutputType<typeof memoryFlags> = {
    name: "memory",
    flags: memoryFlags,
    resolve: (flags) =>
      flags["audit-memory"]
        ? {
            name: "memory",
            open: () => ({
              name: "memory",
              process: (events) => documents.push(...events.map(({ document }) => document)) > 0,
              async close() {},
            }),
          }
        : undefined,
  };
  const file = (name: string): string => join(folder, name);
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  await writeFile(file("sa.key"), privateKey, { mode: 0o600 });
  await writeFile(file("sa.pub"), publicKey);
  await writeFile(file("tokens.csv"), 's3cret,admin,1,"system:masters"\n');
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata", verbs: ["create"] }] };
  await writeFile(file("policy.yaml"), JSON.stringify(policy));
  const parsed = parseFlags({ ...serverFlags, ...memoryFlags }, [
    `--data-dir=${file("data")}`,
    `--cert-dir=${file("pki")}`,
    "--bind-address=127.0.0.1",
    "--secure-port=0",
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://issuer.example.com",
    `--service-account-key-file=${file("sa.pub")}`,
    `--service-account-signing-key-file=${file("sa.key")}`,
    `--token-auth-file=${file("tokens.csv")}`,
    `--audit-policy-file=${file("policy.yaml")}`,
    "--enable-admission-plugins=NoRed",
    "--disable-admission-plugins=NamespaceLifecycle,ServiceAccount",
    "--audit-memory",
  ]);
  assert.equal(parsed.outcome, "run");
  const values = parsed.outcome === "run" ? parsed.values : assert.fail();
  const config = resolveServerConfig(values, { admissionPlugins: [noRed], auditOutputs: [memory] });
  const server = startServer(config, silentLogger);
  try {
    const port = await server.serving;
    const ca = readFileSync(file("pki/apiserver-ca.crt"));
    const create = (name: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const call = request(
          `https://127.0.0.1:${port}/api/v1/namespaces/default/configmaps`,
          { ca, method: "POST", agent: false, headers: { authorization: "Bearer s3cret" } },
          (answer) => answer.resume().once("end", () => resolve(answer.statusCode)),
        );
        call.once("error", reject);
        call.setHeader("content-type", "application/json");
        call.end(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }));
      });
    assert.deepEqual([await create("red"), await create("blue")], [403, 201]);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
  const users = documents.map((document) => JSON.parse(document)).filter(({ user }) => user.username === "admin");
  assert.ok(users.some(({ responseStatus }) => responseStatus?.code === 403));
});
