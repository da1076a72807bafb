import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "@gatehouse/component-base/errors";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { StartedServer } from "@gatehouse/server";
import { startInProcess } from "@gatehouse/server/in-process";
import type { CheckAnswer, CheckRequest, JudgingServer } from "./judging-server.js";
import type { ServedHooks } from "./serve-hooks.js";
import type { ServerAccess } from "./server-access.js";
import { warningsIn } from "./warnings-in.js";

const dayMs = 24 * 60 * 60 * 1000;
const requestTimeoutMs = 60_000;

/**
 * Controllers without which a verdict would differ from that of a cluster: definitions must be served, namespaces need
 * their service account, quotas their status. The others change nothing that a write is judged by.
 */
const controllers = [
  "system-namespaces-controller",
  "bootstrap-system-priority-classes",
  "serviceaccount-controller",
  "resourcequota-controller",
  "crd-naming-condition-controller",
  "crd-establishing-controller",
  "kubernetes-api-approval-conformant-condition-controller",
  "non-structural-schema-condition-controller",
];

/**
 * An API server in this process, on a free port of 127.0.0.1, whose only user is the check. Its files are removed as soon
 * as it has opened them, so that nothing is left behind, however the process ends.
 */
export class CheckServer implements JudgingServer, AsyncDisposable {
  readonly #server: StartedServer;
  #client: HttpClient | undefined;
  #hooks: ServedHooks | undefined;

  private constructor(server: StartedServer) {
    this.#server = server;
  }

  /**
   * Starts a server with flags of gatehouse-apiserver, and the hooks that it is to ask. Rejects with ConfigurationError
   * for flags that it refuses.
   */
  static async start(
    flags: readonly string[],
    serveHooks?: (access: ServerAccess) => Promise<ServedHooks>,
  ): Promise<CheckServer> {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-check-"));
    try {
      const files = await writeFiles(folder);
      const server = new CheckServer(startInProcess([...ownFlags(folder, files), ...flags], { writeLog() {} }));
      try {
        await server.#open(folder, files, serveHooks);
        return server;
      } catch (error) {
        await server[Symbol.asyncDispose]();
        throw error;
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #open(
    folder: string,
    files: ServerFiles,
    serveHooks: ((access: ServerAccess) => Promise<ServedHooks>) | undefined,
  ): Promise<void> {
    const url = new URL(`https://127.0.0.1:${await this.#server.serving}`);
    const { token, authorityPem } = files;
    this.#client = createHttpClient({
      config: {
        server: url,
        certificateAuthorityPem: authorityPem,
        insecureSkipTlsVerify: false,
        authorization: { kind: "token", token },
      },
      userAgent: "gatehouse-check",
    });
    // The answer comes when the namespaces and classes of every cluster are there.
    while ((await this.send({ path: "/readyz" })).status !== 200) {}
    this.#hooks = await serveHooks?.({ folder, url, ...files });
  }

  /** Makes the API server ask the hooks, from now on. Rejects with CommandError when it refuses their registration. */
  async registerHooks(): Promise<void> {
    for (const configuration of this.#hooks?.configurations ?? []) {
      const resource = `${configuration.kind?.toLowerCase()}s`;
      const path = `/apis/admissionregistration.k8s.io/v1/${resource}`;
      const { status, body } = await this.send({ method: "POST", path, body: JSON.stringify(configuration) });
      if (status >= 300) {
        throw new CommandError(`the hooks cannot be registered: ${textAt(body, "message")}`);
      }
    }
  }

  /** Sends a request; resolves to the answer, whatever its status. */
  async send({
    method = "GET",
    path,
    contentType = "application/json",
    accept,
    body,
  }: CheckRequest): Promise<CheckAnswer> {
    if (this.#client === undefined) {
      throw new TypeError("the server has not been started");
    }
    const answer = await this.#client.request({
      method,
      path,
      headers: {
        accept: accept ?? "application/json",
        ...(body === undefined ? {} : { "content-type": contentType }),
      },
      ...(body === undefined ? {} : { body }),
      signal: notAborted,
      timeoutMs: requestTimeoutMs,
      maxResponseBytes: 64 * 1024 * 1024,
    });
    return { status: answer.status, body: objectIn(answer.body), warnings: warningsIn(answer.headers["warning"]) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client?.[Symbol.dispose]();
    await this.#server.serving.catch(() => {});
    await this.#server.stop();
    await this.#hooks?.[Symbol.asyncDispose]();
  }
}

/** Requests are ended by their time limit, and with the process. */
const notAborted = new AbortController().signal;

function objectIn(body: Buffer): JsonObject {
  if (body[0] !== openBrace) {
    return {};
  }
  const value: unknown = JSON.parse(body.toString());
  return isJsonObject(value) ? value : {};
}

const openBrace = "{".charCodeAt(0);

interface ServerFiles {
  readonly token: string;
  readonly authorityPem: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly tokenFile: string;
}

async function writeFiles(folder: string): Promise<ServerFiles> {
  const now = Date.now();
  const lifetime = { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) };
  const authority = await issueCertificate({
    subject: { kind: "authority", commonName: "gatehouse-check" },
    ...lifetime,
  });
  const server = await issueCertificate({
    subject: { kind: "server", commonName: "gatehouse-check", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    issuer: authority,
    ...lifetime,
  });
  const token = randomBytes(32).toString("base64url");
  const files = {
    token,
    authorityPem: authority.certificatePem,
    certFile: join(folder, "server.crt"),
    keyFile: join(folder, "server.key"),
    tokenFile: join(folder, "tokens.csv"),
  };
  await Promise.all([
    writeFile(files.certFile, server.certificatePem),
    writeFile(files.keyFile, server.keyPem, { mode: 0o600 }),
    writeFile(files.tokenFile, `${token},kubernetes-admin,kubernetes-admin,system:masters\n`, { mode: 0o600 }),
  ]);
  return files;
}

function ownFlags(folder: string, { certFile, keyFile, tokenFile }: ServerFiles): readonly string[] {
  return [
    `--data-dir=${join(folder, "data")}`,
    "--unsafe-no-fsync",
    "--bind-address=127.0.0.1",
    "--secure-port=0",
    `--tls-cert-file=${certFile}`,
    `--tls-private-key-file=${keyFile}`,
    `--token-auth-file=${tokenFile}`,
    "--authorization-mode=AlwaysAllow",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${certFile}`,
    `--service-account-signing-key-file=${keyFile}`,
    "--allow-privileged",
    `--controllers=${controllers.join(",")}`,
  ];
}
