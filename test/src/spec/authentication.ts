import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { ExecPluginConfig } from "@gatehouse/component-base/kubeconfig";
import { spawnServer } from "../support/server-program.js";
import { startTestServer } from "../support/start-test-server.js";
import { createApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { specServerWith } from "./support/shared-server.js";

const section = "Authentication";
const denying = "--authorization-mode=AlwaysDeny";

const unauthorized = { code: 401, reason: "Unauthorized", message: "Unauthorized" };

describe(section, { concurrency: 16 }, () => {
  it(`${section}, 1: a client certificate authenticates, and the request is then authorized`, async () => {
    const { server, client: admin } = await specServerWith(denying);
    assertCode(await admin.get("/api/v1/namespaces"), 200);
    const clientCertificate = await server.certificates.clientCertificate("jane", ["dev"]);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assertStatus(await jane.get("/api/v1/namespaces/default/configmaps/a"), {
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "a" is forbidden: User "jane" cannot get resource "configmaps" in API group "" in the namespace "default": Everything is forbidden.',
      details: { name: "a", kind: "configmaps" },
    });
    assertStatus(await jane.get("/apis/apps/v1/deployments"), {
      code: 403,
      reason: "Forbidden",
      message:
        'deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" at the cluster scope: Everything is forbidden.',
      details: { group: "apps", kind: "deployments" },
    });
    assertStatus(await jane.get("/version"), {
      code: 403,
      reason: "Forbidden",
      message: 'forbidden: User "jane" cannot get path "/version": Everything is forbidden.',
      details: {},
    });
  });

  it(`${section}, 2: without credentials a request is that of system:anonymous where anonymous access is on`, async () => {
    const { server } = await specServerWith(denying);
    using stranger = createApiClient(server.anonymousConfig);
    assertStatus(await stranger.get("/api/v1/namespaces"), {
      code: 403,
      reason: "Forbidden",
      message:
        'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope: Everything is forbidden.',
      details: { kind: "namespaces" },
    });
  });

  it(`${section}, 2: with --anonymous-auth=false it is 401, and so it is with AlwaysAllow`, async () => {
    for (const flags of [[denying, "--anonymous-auth=false"], []]) {
      const { server } = await specServerWith(...flags);
      using stranger = createApiClient(server.anonymousConfig);
      assertStatus(await stranger.get("/api/v1/namespaces"), unauthorized);
      assertStatus(await stranger.get("/none"), unauthorized);
    }
  });

  it(`${section}, 2: a bad credential is refused, not taken for none`, async () => {
    const { server } = await specServerWith(denying);
    const other = await (await specServerWith()).server.certificates.clientCertificate("mallory", ["system:masters"]);
    using mallory = createApiClient({ ...server.anonymousConfig, clientCertificate: other });
    const answer = await mallory.get("/api/v1/namespaces");
    assert.ok(answer.status === 401 || answer.status === 403, answer.text);
    assert.doesNotMatch(answer.text, /mallory/);
  });

  it(`${section}, 3: a dry run is authorized as the real request`, async () => {
    const { server, client: admin } = await specServerWith(denying);
    const namespace = await freshNamespace(admin);
    await createConfigMap(admin, namespace, "a");
    const clientCertificate = await server.certificates.clientCertificate("jane", []);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assertStatus(await jane.delete(configMapsPath(namespace, "a", "dryRun=All")), {
      code: 403,
      reason: "Forbidden",
      message: `configmaps "a" is forbidden: User "jane" cannot delete resource "configmaps" in API group "" in the namespace "${namespace}": Everything is forbidden.`,
      details: { name: "a", kind: "configmaps" },
    });
  });

  it(`${section}, 4: a subresource is authorized separately, and by its own name`, async () => {
    const { server } = await specServerWith(denying);
    const clientCertificate = await server.certificates.clientCertificate("jane", []);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assertStatus(await jane.get("/apis/apps/v1/namespaces/default/deployments/d/scale"), {
      code: 403,
      reason: "Forbidden",
      message:
        'deployments.apps "d" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "default": Everything is forbidden.',
      details: { name: "d", group: "apps", kind: "deployments" },
    });
  });

  it(`${section}, 6: a bearer credential comes in the header Authorization, and one that nobody knows is refused`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-tokens-"));
    const tokens = join(folder, "tokens.csv");
    await writeFile(tokens, "secret,ann,1\n", { mode: 0o600 });
    await using server = await startTestServer({ flags: [denying, `--token-auth-file=${tokens}`] });
    await rm(folder, { recursive: true });
    using client = createApiClient(server.anonymousConfig);
    assert.match((await client.get("/api", { authorization: "Bearer secret" })).text, /User \\"ann\\" cannot get path/);
    assertStatus(await client.get("/api", { authorization: "Bearer wrong" }), unauthorized);
    assert.match((await client.get("/api", { "x-authorization": "Bearer secret" })).text, /system:anonymous/);
  });

  it(`${section}, --client-ca-file: the common name of a certificate that it has signed is who the client is`, async () => {
    const { server } = await specServerWith(denying);
    const clientCertificate = await server.certificates.clientCertificate("cn-of-jane", []);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assert.match((await jane.get("/version")).text, /User \\"cn-of-jane\\" cannot get path/);
  });

  it(`${section}, --authorization-mode: AlwaysAllow lets everybody do everything, AlwaysDeny nobody anything`, async () => {
    for (const [mode, code] of [
      ["AlwaysAllow", 200],
      ["AlwaysDeny", 403],
    ] as const) {
      const { server } = await specServerWith(`--authorization-mode=${mode}`);
      const clientCertificate = await server.certificates.clientCertificate("jane", []);
      using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
      assertCode(await jane.get("/api/v1/namespaces"), code);
    }
  });

  for (const [flag, value, rest] of [
    ["--anonymous-auth", "(default true)", ""],
    ["--authentication-token-webhook-cache-ttl", "(default 2m0s)", ""],
    ["--authentication-token-webhook-version", '(default "v1beta1")', ""],
    ["--oidc-username-claim", '(default "sub")', ""],
    ["--oidc-signing-algs", "(default [RS256])", ""],
    ["--client-ca-file", "", "none"],
    ["--api-audiences", "", "none of its own"],
    ["--authentication-token-webhook-config-file", "", "none"],
    ["--enable-bootstrap-token-auth", "", "off"],
    ["--oidc-issuer-url", "", "none"],
    ["--oidc-client-id", "", "none"],
    ["--oidc-username-prefix", "", "none"],
    ["--oidc-groups-claim", "", "none"],
    ["--oidc-groups-prefix", "", "none"],
    ["--oidc-required-claim", "", "none"],
    ["--oidc-ca-file", "", "none"],
    ["--authentication-config", "", "none"],
    ["--authorization-config", "", "none"],
    ["--authorization-policy-file", "", "none"],
    ["--authorization-webhook-config-file", "", "none"],
  ] as const) {
    it(`${section}, ${flag}: the default is ${value === "" ? rest : value}`, async () => {
      const text = await helpOf(flag);
      const stated = /\(default .*\)$/.exec(text)?.[0] ?? "";
      assert.equal(stated, value);
    });
  }

  it(`${section}: flags that do not go together, and values that cannot be, are refused all at once`, async () => {
    const { server } = await specServerWith();
    let output = "";
    const failing = spawnServer(
      [
        "--oidc-client-id=api",
        "--oidc-issuer-url=http://issuer?a=b",
        "--oidc-signing-algs=RS256,HS256",
        "--oidc-required-claim=hd",
        "--authentication-config=/nowhere",
        "--authentication-token-webhook-config-file=/nowhere",
        "--authentication-token-webhook-version=v2",
        "--requestheader-username-headers= ",
        "--service-account-max-token-expiration=1m",
        "--service-account-issuer=https://a",
        "--service-account-issuer=https://a",
        `--data-dir=${join(server.folder, "other")}`,
      ],
      (text) => {
        output += text;
      },
    );
    await assert.rejects(failing.serving, /ended with 1/);
    for (const problem of [
      /--oidc-client-id: cannot be given together with --authentication-config/,
      /--oidc-issuer-url: cannot be given together with --authentication-config/,
      /--authentication-config: needs --feature-gates=StructuredAuthenticationConfiguration=true/,
      /--authentication-token-webhook-version: must be v1 or v1beta1/,
      /--requestheader-username-headers: must not hold an empty name/,
      /--service-account-max-token-expiration: must be between 1 hour and 2\^32 seconds/,
      /--service-account-issuer: "https:\/\/a" is given twice/,
      /--service-account-key-file: is required/,
      /--service-account-signing-key-file: is required/,
    ]) {
      assert.match(output, problem);
    }
  });

  it(`${section}, --oidc-*: an issuer needs a client and an https address, algorithms that prove something, and pairs`, async () => {
    const { server } = await specServerWith();
    let output = "";
    const flags = [
      "--oidc-issuer-url=http://me:it@issuer?a=b#c",
      "--oidc-signing-algs=RS256,HS256",
      "--oidc-required-claim=hd",
      `--data-dir=${join(server.folder, "other")}`,
    ];
    const failing = spawnServer([...server.certificates.serviceAccountFlags, ...flags], (text) => {
      output += text;
    });
    await assert.rejects(failing.serving, /ended with 1/);
    for (const problem of [
      /--oidc-client-id: must be given when any of the flags --oidc-\* is/,
      /--oidc-issuer-url: URL scheme must be https/,
      /--oidc-issuer-url: URL must not contain a username or password/,
      /--oidc-issuer-url: URL must not contain a query/,
      /--oidc-issuer-url: URL must not contain a fragment/,
      /--oidc-signing-algs: unsupported signing alg: "HS256"/,
      /--oidc-required-claim: malformed pair, expect string=string: "hd"/,
    ]) {
      assert.match(output, problem);
    }
  });

  it(`${section}, --authentication-config: issuers are read from a document, an issuer that is down stops nobody, and all that is wrong with the document is told at once`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-issuers-"));
    const file = join(folder, "authentication.yaml");
    const document = (jwt: string) =>
      `apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: AuthenticationConfiguration\njwt:\n${jwt}`;
    const issuer = (port: number, more = "") =>
      `- issuer: {url: "https://127.0.0.1:${port}", audiences: [api, web]}\n  claimMappings: {username: {claim: sub, prefix: "${port}:"}}\n${more}`;
    const gate = "--feature-gates=StructuredAuthenticationConfiguration=true";
    const flags = [gate, `--authentication-config=${file}`];
    await writeFile(file, document(issuer(1) + issuer(2)));
    const server = await startTestServer({ flags });
    using client = createApiClient(server.clientConfig);
    const health = await client.get("/healthz/oidc-issuers");
    assert.equal(health.status, 500);
    assertCode(await client.get("/readyz"), 200);
    assertCode(await client.get("/healthz"), 200);
    const claims = Buffer.from(JSON.stringify({ iss: "https://127.0.0.1:2" })).toString("base64url");
    const review = { spec: { token: `${Buffer.from("{}").toString("base64url")}.${claims}.AAAA` } };
    const answer = await client.post("/apis/authentication.k8s.io/v1/tokenreviews", review);
    assert.equal(
      (answer.document as unknown as { status: { error: string } }).status.error,
      "[invalid bearer token, oidc: authenticator not initialized]",
    );
    assert.match(
      server.logs.text(),
      /the keys of an issuer of identity tokens cannot be fetched.*https:\/\/127\.0\.0\.1:1/,
    );
    await writeFile(
      file,
      document(
        issuer(1, "  userValidationRules: [{expression: 'user.name == 1'}]\n") +
          issuer(1, "  claimValidationRules: [{expression: 'claims.a'}, {claim: hd, requiredValue: a}]\n"),
      ),
    );
    let output = "";
    const failing = spawnServer(
      [...server.certificates.serviceAccountFlags, ...flags, `--data-dir=${folder}/data`],
      (text) => {
        output += text;
      },
    );
    await assert.rejects(failing.serving, /ended with 1/);
    assert.match(
      output,
      /jwt\[0\]\.userValidationRules\[0\]\.expression: compilation failed: .*undefined field 'name'/,
    );
    assert.match(output, /jwt\[1\]\.claimValidationRules\[0\]\.expression: must evaluate to bool/);
    assert.match(output, /jwt\[1\]\.issuer\.url: "https:\/\/127\.0\.0\.1:1" is there twice/);
    await server.stop();
    await rm(folder, { recursive: true });
  });
});

describe("Exec credential exchange", { concurrency: 4 }, () => {
  for (const version of ["v1", "v1beta1"] as const) {
    for (const kind of ["token", "certificate"] as const) {
      it(`Exec credential exchange, status (${version}): the server takes the ${kind} that a plugin answers with`, async () => {
        const { server, client: admin } = await specServerWith();
        const account = "/api/v1/namespaces/default/serviceaccounts";
        await admin.post(account, { metadata: { name: "plugin" } });
        const issued = await admin.post(`${account}/plugin/token`, {});
        const { token } = (issued.document as unknown as { status: { token: string } }).status;
        const { certificatePem, keyPem } = await server.certificates.clientCertificate("jane", []);
        const status = kind === "token" ? { token } : { clientCertificateData: certificatePem, clientKeyData: keyPem };
        const apiVersion = `client.authentication.k8s.io/${version}` as const;
        const answer = JSON.stringify({ apiVersion, kind: "ExecCredential", status });
        using client = createHttpClient({
          config: {
            ...server.anonymousConfig,
            exec: {
              apiVersion,
              command: process.execPath,
              args: ["-e", `process.stdout.write(${JSON.stringify(answer)})`],
              env: [],
              interactiveMode: "Never",
            },
          },
        });
        const { body } = await client.requestJson({
          method: "POST",
          path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          body: {},
          signal: new AbortController().signal,
          timeoutMs: 60_000,
        });
        assert.equal(
          (body as { status: { userInfo: { username: string } } }).status.userInfo.username,
          kind === "token" ? "system:serviceaccount:default:plugin" : "jane",
        );
      });
    }
  }
});

describe("Exec credential exchange: what is asked of a plugin", { concurrency: 4 }, () => {
  /** Has the plugin's answer taken, and tells what it was told, once for each time that it ran. */
  async function runPlugin(status: object, requests: number, more: Partial<ExecPluginConfig> = {}): Promise<unknown[]> {
    const { server } = await specServerWith(denying);
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-exec-"));
    const told = join(folder, "told");
    const apiVersion = "client.authentication.k8s.io/v1";
    const answer = JSON.stringify({ apiVersion, kind: "ExecCredential", status });
    const program = `fs.appendFileSync(${JSON.stringify(told)}, process.env.KUBERNETES_EXEC_INFO + "\\n"); process.stdout.write(${JSON.stringify(answer)})`;
    using client = createHttpClient({
      config: {
        ...server.anonymousConfig,
        exec: {
          apiVersion,
          command: process.execPath,
          args: ["-e", program],
          env: [],
          interactiveMode: "Never",
          ...more,
        },
      },
    });
    for (let index = 0; index < requests; index++) {
      const signal = new AbortController().signal;
      await client.requestJson({ method: "GET", path: "/version", signal, timeoutMs: 60_000 });
    }
    const lines = (await readFile(told, "utf8")).trim().split("\n");
    await rm(folder, { recursive: true });
    return lines.map((line) => JSON.parse(line));
  }

  const head = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1" };

  it("Exec credential exchange, spec (required): the cluster is told only where that is asked for, and whether somebody may be asked", async () => {
    const { server } = await specServerWith(denying);
    const certificate = await server.certificates.clientCertificate("jane", []);
    const status = { clientCertificateData: certificate.certificatePem, clientKeyData: certificate.keyPem };
    assert.deepEqual(await runPlugin(status, 1), [{ ...head, spec: { interactive: false } }]);
    const cluster = { server: server.clientConfig.server.href };
    assert.deepEqual(await runPlugin(status, 1, { cluster }), [{ ...head, spec: { cluster, interactive: false } }]);
  });

  it("Authentication, 5: a plugin answers with an end, after which it is asked again", async () => {
    const { server } = await specServerWith(denying);
    const certificate = await server.certificates.clientCertificate("jane", []);
    const status = { clientCertificateData: certificate.certificatePem, clientKeyData: certificate.keyPem };
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    assert.equal((await runPlugin({ ...status, expirationTimestamp: ahead }, 3)).length, 1);
    assert.equal((await runPlugin(status, 3)).length, 1);
    const past = new Date(Date.now() - 1000).toISOString();
    assert.equal((await runPlugin({ ...status, expirationTimestamp: past }, 3)).length, 3);
  });
});

let help: Promise<string> | undefined;

/** Returns the line of `--help` about a flag. */
async function helpOf(flag: string): Promise<string> {
  help ??= (async () => {
    let output = "";
    const server = spawnServer(["--help"], (text) => {
      output += text;
    });
    await server.serving.catch(() => {});
    return output;
  })();
  const paragraph = (await help).split("\n\n").find((part) => new RegExp(`^ *${flag}( |\n|$)`, "m").test(part));
  return (paragraph ?? assert.fail(`${flag} is not there`)).replaceAll(/\s+/g, " ").trim();
}
