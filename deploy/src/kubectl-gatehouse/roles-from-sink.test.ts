import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { ensureCertificate } from "@gatehouse/component-base/pki";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-roles-sink-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const plugin = fileURLToPath(new URL("main.js", import.meta.url));
const sinkMain = fileURLToPath(new URL("sink-main.js", import.meta.resolve("@gatehouse/audit-sink")));
const inFolder = (name: string): string => join(folder, name);
const pair = (name: string) => ({ certFile: inFolder(`${name}.crt`), keyFile: inFolder(`${name}.key`) });

function event(n: number, user: string, rest: object = {}) {
  const requestURI = `/api/v1/namespaces/shop/configmaps/settings-${n % 2}`;
  return {
    level: "Metadata",
    auditID: `id-${n}`,
    stage: "ResponseComplete",
    verb: "get",
    requestURI,
    user: { username: user },
    requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
    stageTimestamp: "2026-01-01T00:00:00.000000Z",
    ...rest,
  };
}

test("kubectl gatehouse roles asks an audit sink for what a user has done, and others in the user's name", async () => {
  const issuer = await ensureCertificate({ subject: { kind: "authority", commonName: "ca" }, ...pair("ca") });
  const subject = { kind: "server" as const, commonName: "sink", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  await ensureCertificate({ subject, issuer, ...pair("server") });
  writeFileSync(inFolder("token"), "reader\n");
  writeFileSync(
    inFolder("sink.yaml"),
    `apiVersion: config.gatehouse.dev/v1alpha1
kind: AuditSinkConfiguration
serving: {bindAddress: 127.0.0.1, port: 0, certFile: server.crt, keyFile: server.key}
anySender: true
readers: [{name: auditor, tokenFile: token}]
log: {directory: log}
index: {directory: index}
`,
  );
  const sink = spawn(process.execPath, [sinkMain, "--config", inFolder("sink.yaml"), "--logging-format=text"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(sink, "exit");
  try {
    let log = "";
    const server = await new Promise<string>((resolve, reject) => {
      sink.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        const port = /\bserving\b.*\bport=(\d+)/.exec(log)?.[1];
        if (port !== undefined) {
          resolve(`https://127.0.0.1:${port}`);
        }
      });
      sink.once("exit", () => reject(new Error(log)));
    });
    const items = [
      ...Array.from({ length: 1500 }, (_, n) => event(n, "jane")),
      event(2000, "joe", { requestURI: "/api/v1/nodes", verb: "list" }),
      event(2001, "joe", { requestURI: "/version", impersonatedUser: { username: "jane" } }),
      event(2002, "joe", { requestURI: "/api/v1/secrets", verb: "list", impersonatedUser: { username: "jane" } }),
    ];
    const config = {
      server: new URL(server),
      certificateAuthorityPem: issuer.certificatePem,
      insecureSkipTlsVerify: false,
    };
    using client = createHttpClient({ config });
    const { status } = await client.requestJson({
      method: "POST",
      path: "/audit",
      body: { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items },
      signal: AbortSignal.timeout(30_000),
      timeoutMs: 30_000,
    });
    assert.equal(status, 200);
    const ca = ["--certificate-authority", inFolder("ca.crt")];
    const asked = [plugin, "roles", "--from-audit", server, ...ca, "--user", "jane"];
    const roles = (...more: string[]) => promisify(execFile)(process.execPath, [...asked, ...more]);
    const suggested = async (): Promise<string> => {
      for (let attempt = 0; ; attempt++) {
        const { stdout } = await roles("--token-file", inFolder("token")).catch(() => ({ stdout: "" }));
        if (stdout.includes("1502 audit events") || attempt === 50) {
          return stdout;
        }
        await delay(200);
      }
    };
    const [comments, ...documents] = (await suggested()).split("---\n");
    assert.match(comments ?? "", /^# What jane was seen doing: 1502 audit events from 2026/);
    assert.match(comments ?? "", /everybody who is authenticated may do it: get \/version\./);
    const kinds = documents.map((text) => [/kind: (\w+)/.exec(text)?.[1], /resources:\n {6}- (\w+)/.exec(text)?.[1]]);
    assert.deepEqual(kinds, [
      ["ClusterRole", "secrets"],
      ["ClusterRoleBinding", undefined],
      ["Role", "configmaps"],
      ["RoleBinding", undefined],
    ]);
    await assert.rejects(roles(), /the sink answers 401: Unauthorized/);
  } finally {
    sink.kill("SIGTERM");
    await ended;
  }
});
