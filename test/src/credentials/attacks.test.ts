import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const whoAmI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
type Header = readonly [name: string, value: string];

/** `mallory` may act as the user bob, and as nobody else. Whatever else is asked for must change nothing. */
describe("Attacks on who is asking", { concurrency: 4 }, () => {
  let folder: string;
  let server: ControlPlane;
  let admin: ApiClient;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-attacks-"));
    await writeFile(join(folder, "tokens.csv"), "good,mallory,1\nroot,root,2,system:masters\n");
    server = await startTestServer({
      flags: ["--authorization-mode=RBAC", `--token-auth-file=${join(folder, "tokens.csv")}`],
    });
    admin = createApiClient(server.clientConfig);
    const rules = [{ apiGroups: [""], resources: ["users"], verbs: ["impersonate"], resourceNames: ["bob"] }];
    assertCode(await admin.post(`${rbac}/clusterroles`, { metadata: { name: "as-bob" }, rules }), 201);
    const binding = {
      metadata: { name: "mallory" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "as-bob" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "mallory" }],
    };
    assertCode(await admin.post(`${rbac}/clusterrolebindings`, binding), 201);
    await until("it may be done", async () => (await ask([["Impersonate-User", "bob"]])) === "bob");
  });
  after(async () => {
    admin[Symbol.dispose]();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** Returns the user name under which the server knows mallory; the status code for an unsuccessful answer. */
  async function ask(headers: readonly Header[], credentials: readonly Header[] = [["Authorization", "Bearer good"]]) {
    const lines = [...credentials, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const socket = connectTls({
      host: "127.0.0.1",
      port: server.port,
      ca: server.certificates.authority.certificatePem,
    });
    await once(socket, "secureConnect");
    socket.write(
      `POST ${whoAmI} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n${lines}\r\n{}`,
      "utf8",
    );
    return verdictOf(await text(socket));
  }

  async function askHttp2(headers: Record<string, string | string[]>) {
    const session = connectHttp2(server.url, { ca: server.certificates.authority.certificatePem });
    const stream = session.request({
      ":method": "POST",
      ":path": whoAmI,
      "content-type": "application/json",
      authorization: "Bearer good",
      ...headers,
    });
    stream.end("{}");
    const [response] = (await once(stream, "response")) as [{ ":status": number }];
    const body = await text(stream);
    session.close();
    return verdictOf(`HTTP/2 ${response[":status"]} \r\n\r\n${body}`);
  }

  function verdictOf(answer: string): string {
    const code = /^HTTP\/[\d.]+ (\d+)/.exec(answer)?.[1] ?? "nothing";
    const user = /"userInfo":(\{[^{}]*\})/.exec(answer)?.[1];
    if (code !== "201" || user === undefined) {
      return code;
    }
    const { username, groups } = JSON.parse(user) as { username: string; groups: readonly string[] };
    assert.deepEqual(groups, ["system:authenticated"]);
    return username;
  }

  const rows: readonly [title: string, headers: readonly Header[], verdict: string][] = [
    ["another user", [["Impersonate-User", "root"]], "403"],
    ["another user, by a name in capitals", [["IMPERSONATE-USER", "root"]], "403"],
    [
      "two users, the allowed one first",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-User", "root"],
      ],
      "bob",
    ],
    [
      "two users, the allowed one last",
      [
        ["Impersonate-User", "root"],
        ["Impersonate-User", "bob"],
      ],
      "403",
    ],
    ["two users in one header", [["Impersonate-User", "bob, root"]], "403"],
    ["a user in percent encoding", [["Impersonate-User", "%62ob"]], "403"],
    ["a user with a zero behind it", [["Impersonate-User", "bob%00"]], "403"],
    [
      "the masters",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-Group", "system:masters"],
      ],
      "403",
    ],
    [
      "the masters, in small letters",
      [
        ["impersonate-user", "bob"],
        ["impersonate-group", "system:masters"],
      ],
      "403",
    ],
    [
      "the masters, behind another group",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-Group", "x"],
        ["Impersonate-Group", "system:masters"],
      ],
      "403",
    ],
    ["a group alone", [["Impersonate-Group", "system:masters"]], "500"],
    ["a uid alone", [["Impersonate-Uid", "1"]], "500"],
    [
      "an uid besides",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-Uid", "1"],
      ],
      "403",
    ],
    [
      "something more",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-Extra-scopes", "all"],
      ],
      "403",
    ],
    [
      "something more, oddly encoded",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-Extra-%73copes", "all"],
      ],
      "403",
    ],
    [
      "something that is no word",
      [
        ["Impersonate-User", "bob"],
        ["Impersonate-Extra-__proto__", "all"],
      ],
      "403",
    ],
    ["a service account", [["Impersonate-User", "system:serviceaccount:kube-system:default"]], "403"],
    ["the stranger", [["Impersonate-User", "system:anonymous"]], "403"],
    [
      "what no header means",
      [
        ["Impersonate-Users", "root"],
        ["X-Impersonate-User", "root"],
      ],
      "mallory",
    ],
    ["an underscore for a dash", [["Impersonate_User", "root"]], "mallory"],
    [
      "what a front proxy says",
      [
        ["X-Remote-User", "root"],
        ["X-Remote-Group", "system:masters"],
      ],
      "mallory",
    ],
    [
      "what a front proxy says in other letters",
      [
        ["x_remote_user", "root"],
        ["X-REMOTE-USER", "root"],
      ],
      "mallory",
    ],
  ];
  for (const [title, headers, verdict] of rows) {
    it(`impersonation of ${title} comes to ${verdict}`, async () => {
      assert.equal(await ask(headers), verdict);
    });
  }

  it("over HTTP/2 it is the same", async () => {
    assert.equal(await askHttp2({ "impersonate-user": "bob" }), "bob");
    assert.equal(await askHttp2({ "impersonate-user": "root" }), "403");
    assert.equal(await askHttp2({ "impersonate-user": "bob", "impersonate-group": ["x", "system:masters"] }), "403");
    assert.equal(await askHttp2({ "x-remote-user": "root", "x-remote-group": "system:masters" }), "mallory");
  });

  it("nobody acts as somebody without a credential of their own", async () => {
    assert.equal(await ask([["Impersonate-User", "bob"]], []), "403");
    assert.equal(await ask([["Impersonate-User", "bob"]], [["Authorization", "Bearer bad"]]), "401");
  });

  it("of two credentials the first counts, and a bad one is not passed over", async () => {
    const good: Header = ["Authorization", "Bearer good"];
    const bad: Header = ["Authorization", "Bearer bad"];
    assert.equal(await ask([], [good, bad]), "mallory");
    assert.equal(await ask([], [bad, good]), "401");
    assert.equal(await ask([], [["authorization", "bearer good"]]), "mallory");
    assert.equal(await ask([], [["Authorization", "Bearer good\u00a0"]]), "401");
    assert.equal(await ask([], [["Authorization", "Bearer GOOD"]]), "401");
  });

  it("huge tokens are refused, and keep nobody waiting", async () => {
    const huge = `${Buffer.from("{}").toString("base64url")}.${"A".repeat(2_000_000)}.AAAA`;
    const answer = await admin.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: huge } });
    assertCode(answer, 201);
    assert.deepEqual((answer.document as unknown as { status: object }).status, {
      user: {},
      error: "invalid bearer token",
    });
    const code = await ask([], [["Authorization", `Bearer ${"A".repeat(60_000)}`]]);
    assert.ok(code === "401" || code === "431", code);
  });
});
