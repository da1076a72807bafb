import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createHttpClient, type HttpClient, type HttpResponse } from "@gatehouse/component-base/http-client";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import { claimPort } from "../free-port.js";
import { loginPage } from "./login-page.js";
import { escapeHtml } from "./page.js";

const program = fileURLToPath(new URL("../identity-provider-main.js", import.meta.url));

describe("the pages of the identity provider", () => {
  let folder: string;
  let running: ChildProcess;
  let client: HttpClient;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-identity-provider-"));
    const [certFile, keyFile, usersFile] = ["tls.crt", "tls.key", "users.yaml"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const authority = await ensureCertificate({
      subject: { kind: "authority", commonName: "ca" },
      certFile: join(folder, "ca.crt"),
      keyFile: join(folder, "ca.key"),
    });
    await ensureCertificate({
      subject: { kind: "server", commonName: "idp", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
      issuer: authority,
      certFile,
      keyFile,
    });
    await writeFile(usersFile, "users: [{name: alice, password: sesame, groups: []}]\n");
    const port = await claimPort(0);
    const files = [`--users-file=${usersFile}`, `--tls-cert-file=${certFile}`, `--tls-private-key-file=${keyFile}`];
    running = spawn(process.execPath, [program, `--port=${port}`, ...files], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const server = new URL(`https://127.0.0.1:${port}`);
    client = createHttpClient({
      config: { server, insecureSkipTlsVerify: false, certificateAuthorityPem: authority.certificatePem },
    });
    while ((await get("/readyz").catch(() => undefined))?.status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  after(async () => {
    client?.[Symbol.dispose]();
    running?.kill();
    await rm(folder, { recursive: true });
  });

  function get(path: string, cookie = ""): Promise<HttpResponse> {
    return client.request({
      method: "GET",
      path,
      headers: { cookie, accept: "text/html" },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
    });
  }

  /** Asserts that a page is one of ours, and that it loads nothing but the style that its policy names. */
  function assertOwnPage({ headers, body }: HttpResponse, title: string): void {
    assert.match(body.toString(), new RegExp(`<title>${title} · Gatehouse</title>`));
    assert.doesNotMatch(body.toString(), /https?:\/\/(?!127\.0\.0\.1)|@import|<script|<img|<link/);
    const style = /<style>([\s\S]*)<\/style>/.exec(body.toString())?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    assert.equal(
      headers["content-security-policy"],
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    );
  }

  test("ask for a name and a password, and say where the passwords are", async () => {
    const query = new URLSearchParams({
      client_id: "kubectl",
      response_type: "code",
      scope: "openid",
      redirect_uri: "http://127.0.0.1/callback",
      code_challenge: "a".repeat(43),
      code_challenge_method: "S256",
    });
    const { headers } = await get(`/auth?${query}`);
    const cookies = [headers["set-cookie"] ?? []].flat().map((cookie) => cookie.split(";")[0]);
    const page = await get(String(headers["location"]), cookies.join("; "));
    assertOwnPage(page, "Log in");
    assert.ok(page.body.toString().includes(`in the file ${join(folder, "users.yaml")}.`));
  });

  test("ask for the code of another device", async () => {
    assertOwnPage(await get("/device"), "Log in by code");
  });

  test("tell what is wrong with a request of a client", async () => {
    const page = await get("/auth?client_id=nobody");
    assert.equal(page.status, 400);
    assertOwnPage(page, "This did not work");
    assert.match(page.body.toString(), /invalid_client/);
  });

  test("tell that a login is over", async () => {
    const page = await get("/interaction/unknown");
    assert.equal(page.status, 400);
    assertOwnPage(page, "This login is over");
  });

  test("show texts, never markup that stands in them", () => {
    assert.equal(escapeHtml(`<a b="c">&'`), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    assert.ok(loginPage(true, "/tmp/<b>").includes("/tmp/&lt;b&gt;"));
  });
});
