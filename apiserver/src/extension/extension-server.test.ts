import assert from "node:assert/strict";
import { request } from "node:https";
import { after, before, beforeEach, describe, test } from "node:test";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { defineResource } from "../resources/define-resource.js";
import type { ApiServer } from "../server/start-api-server.js";
import { extensionPlugins } from "./front-admission.js";
import { StandInFront } from "./stand-in-front.test.support.js";
import { startExtensionServer } from "./start-extension-server.js";

const group = "shop.example.com";
const shirts = defineResource({ group, version: "v1", resource: "shirts", kind: "Shirt", namespaced: true });
const groups = [{ name: group, versions: ["v1"], resources: [shirts] }];
const configMaps = "/api/v1/namespaces/kube-system/configmaps";
const all = `/apis/${group}/v1/shirts`;
const day = 24 * 60 * 60 * 1000;
const lifetime = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };

const authority = (commonName: string) => issueCertificate({ subject: { kind: "authority", commonName }, ...lifetime });
const clientOf = (issuer: Awaited<ReturnType<typeof authority>>, user: string) =>
  issueCertificate({ subject: { kind: "client", user, groups: ["people"] }, issuer, ...lifetime });

const [proxies, laterProxies, clients] = await Promise.all(["proxies", "later-proxies", "clients"].map(authority));
assert.ok(proxies !== undefined && laterProxies !== undefined && clients !== undefined);
const [proxy, laterProxy, otherProxy, carol] = await Promise.all([
  clientOf(proxies, "front-proxy-client"),
  clientOf(laterProxies, "front-proxy-client"),
  clientOf(proxies, "someone-else"),
  clientOf(clients, "carol"),
]);
type Certificate = typeof proxy;

const front = new StandInFront();
let server: ApiServer;

/** Returns the data of the ConfigMap as kube-apiserver writes it. */
const configOf = (changes: JsonObject = {}): JsonObject => ({
  "client-ca-file": clients.certificatePem,
  "requestheader-client-ca-file": proxies.certificatePem,
  "requestheader-allowed-names": '["front-proxy-client"]',
  "requestheader-username-headers": '["X-Remote-User"]',
  "requestheader-group-headers": '["X-Remote-Group"]',
  "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
  ...changes,
});

function setConfig(data: JsonObject): void {
  front.put(configMaps, "ConfigMap", "v1", { metadata: { name: "extension-apiserver-authentication" }, data });
}

interface Asked {
  readonly as?: Certificate;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: JsonObject;
  /** The server to ask; the one of most tests when absent. */
  readonly of?: ApiServer;
}

/** Sends a request on a connection of its own. */
function ask(
  path: string,
  { as, headers = {}, method = "GET", body, of = server }: Asked = {},
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${of.url}${path}`,
      {
        ca: of.certificateAuthority,
        agent: false,
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(as && { cert: as.certificatePem, key: as.keyPem }),
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (more) => {
          text += more;
        });
        answer.once("end", () => resolve({ code: answer.statusCode ?? 0, text }));
      },
    );
    call.once("error", reject);
    call.end(body && JSON.stringify(body));
  });
}

const remote = (user: string): Record<string, string> => ({ "x-remote-user": user, "x-remote-group": "team" });

/** Returns the user of the last access review. */
const lastUser = (): unknown => front.accessReviews.at(-1)?.["user"];

/** Asks again until the answer has this code. */
async function untilCode(code: number, path: string, asked: Asked): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await ask(path, asked)).code === code) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`never answered ${code}`);
}

describe("an extension API server", () => {
  before(async () => {
    setConfig(configOf());
    front.put("/api/v1/namespaces", "Namespace", "v1", { metadata: { name: "shop" } });
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]) {
      const collection = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`;
      front.put(collection, kind, "admissionregistration.k8s.io/v1", { metadata: { name: "none" }, webhooks: [] });
    }
    const client = await front.start();
    server = await startExtensionServer({
      groups,
      front: { authentication: client, authorization: client, objects: client, unauthorizedTtlMs: 60_000 },
      admission: { plugins: extensionPlugins([]) },
    });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await front[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    front.reviewAccess = () => ({ allowed: true });
    front.reviewToken = () => ({ authenticated: false });
    front.reviewStatus = 201;
    front.tokenReviews.length = 0;
    front.accessReviews.length = 0;
  });

  test("a front proxy names the user, the groups and the extras of a request", async () => {
    const { code } = await ask(all, { as: proxy, headers: { ...remote("alice"), "x-remote-extra-scopes": "a" } });
    assert.equal(code, 200);
    assert.deepEqual(front.accessReviews, [
      {
        resourceAttributes: { verb: "list", group, version: "v1", resource: "shirts" },
        user: "alice",
        groups: ["team", "system:authenticated"],
        extra: { scopes: ["a"] },
      },
    ]);
  });

  test("headers of somebody who is no front proxy are not believed", async () => {
    assert.equal((await ask(all, { headers: remote("alice") })).code, 200);
    assert.equal(lastUser(), "system:anonymous");
    const { code } = await ask(all, { as: otherProxy, headers: remote("alice") });
    assert.equal(code, 401);
  });

  test("a client certificate of the authority in the ConfigMap authenticates", async () => {
    assert.equal((await ask(all, { as: carol, headers: remote("alice") })).code, 200);
    assert.equal(lastUser(), "carol");
  });

  test("a token is reviewed once while its review is kept, whatever the review says", async () => {
    front.reviewToken = ({ token }) =>
      token === "good"
        ? { authenticated: true, user: { username: "dora", groups: ["people"] } }
        : { authenticated: false };
    for (const [token, code] of [
      ["good", 200],
      ["good", 200],
      ["bad", 401],
      ["bad", 401],
    ] as const) {
      assert.equal((await ask(all, { headers: { authorization: `Bearer ${token}` } })).code, code);
    }
    assert.deepEqual(front.tokenReviews, [{ token: "good" }, { token: "bad" }]);
    assert.equal(lastUser(), "dora");
  });

  test("a review of an access is asked for once while it is kept, one that does not allow, too", async () => {
    front.reviewAccess = ({ user }) => ({ allowed: user === "eve", reason: "no role" });
    for (const [user, code] of [
      ["eve", 200],
      ["eve", 200],
      ["finn", 403],
      ["finn", 403],
    ] as const) {
      assert.equal((await ask(all, { as: proxy, headers: remote(user) })).code, code);
    }
    assert.deepEqual(
      front.accessReviews.map(({ user }) => user),
      ["eve", "finn"],
    );
  });

  test("a review that fails denies the request with the reason, and is not kept", async () => {
    front.reviewStatus = 403;
    const denied = await ask(all, { as: proxy, headers: remote("greta") });
    assert.equal(denied.code, 500);
    front.reviewStatus = 201;
    assert.equal((await ask(all, { as: proxy, headers: remote("greta") })).code, 200);
  });

  test("neither members of system:masters nor health checks are asked about", async () => {
    const masters = { "x-remote-user": "root", "x-remote-group": "system:masters" };
    assert.equal((await ask(all, { as: proxy, headers: masters })).code, 200);
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      assert.equal((await ask(path)).code, 200, path);
    }
    assert.deepEqual(front.accessReviews, []);
    await ask("/healthz/ping");
    assert.equal(front.accessReviews.length, 1);
  });

  test("changed header names and allowed names take effect on the running server", async () => {
    setConfig(configOf({ "requestheader-username-headers": '["X-Person"]', "requestheader-allowed-names": "[]" }));
    await untilCode(200, all, { as: otherProxy, headers: { "x-person": "hans" } });
    assert.equal(lastUser(), "hans");
    await ask(all, { as: proxy, headers: { "x-remote-user": "ida" } });
    assert.notEqual(lastUser(), "ida");
    setConfig(configOf());
    await untilCode(401, all, { as: otherProxy, headers: { "x-person": "hans" } });
  });

  test("a rotated authority of front proxies takes effect on the running server", async () => {
    assert.equal((await ask(all, { as: laterProxy, headers: remote("jan") })).code, 401);
    front.endWatches();
    setConfig(configOf({ "requestheader-client-ca-file": laterProxies.certificatePem }));
    await untilCode(200, all, { as: laterProxy, headers: remote("jan") });
    assert.equal((await ask(all, { as: proxy, headers: remote("jan") })).code, 401);
    setConfig(configOf());
    await untilCode(200, all, { as: proxy, headers: remote("jan") });
  });

  test("what has changed while the history was lost is read anew", async () => {
    front.forgetHistory();
    setConfig(configOf({ "requestheader-username-headers": '["X-Lost"]' }));
    const lena = { as: proxy, headers: { "x-lost": "lena" } };
    for (let attempt = 0; lastUser() !== "lena" && attempt < 200; attempt++) {
      await ask(`/apis/${group}/${attempt}`, lena);
    }
    assert.equal(lastUser(), "lena");
    setConfig(configOf());
    for (let attempt = 0; lastUser() !== "lou" && attempt < 200; attempt++) {
      await ask(`/apis/${group}/again/${attempt}`, { as: proxy, headers: remote("lou") });
    }
    assert.equal(lastUser(), "lou");
  });

  test("a ConfigMap that cannot be used leaves the one before in place", async () => {
    setConfig(configOf({ "requestheader-client-ca-file": "nonsense", "requestheader-allowed-names": '["a", 1]' }));
    setConfig(configOf({ "client-ca-file": "", "requestheader-extra-headers-prefix": '["X-More-"]' }));
    const more = { ...remote("kim"), "x-more-a": "b" };
    for (let attempt = 0; front.accessReviews.at(-1)?.["extra"] === undefined && attempt < 200; attempt++) {
      assert.equal(
        (await ask(`${all}?limit=${attempt}`, { as: proxy, headers: { ...more, "x-remote-user": `k${attempt}` } }))
          .code,
        200,
      );
    }
    assert.deepEqual(front.accessReviews.at(-1)?.["extra"], { a: ["b"] });
    assert.equal((await ask("/apis", { as: carol })).code, 200);
    assert.equal(lastUser(), "carol");
  });

  test("the namespaces of the front count for what is written here", async () => {
    const create = (namespace: string, name: string): ReturnType<typeof ask> =>
      ask(`/apis/${group}/v1/namespaces/${namespace}/shirts`, {
        as: carol,
        method: "POST",
        body: { apiVersion: `${group}/v1`, kind: "Shirt", metadata: { name, namespace } },
      });
    assert.equal((await create("shop", "a")).code, 201);
    assert.match((await create("nowhere", "a")).text, /namespaces \\"nowhere\\" not found/);
    front.put("/api/v1/namespaces", "Namespace", "v1", { metadata: { name: "new" } });
    assert.equal((await create("new", "a")).code, 201);
    front.put("/api/v1/namespaces", "Namespace", "v1", { metadata: { name: "new" }, status: { phase: "Terminating" } });
    let refused = await create("new", "b0");
    for (let attempt = 1; refused.code === 201 && attempt < 200; attempt++) {
      refused = await create("new", `b${attempt}`);
    }
    assert.match(refused.text, /unable to create new content in namespace new because it is being terminated/);
  });
});

describe("an extension API server whose front cannot be read", () => {
  const unusable = new StandInFront();
  let client: Awaited<ReturnType<StandInFront["start"]>>;
  before(async () => {
    client = await unusable.start();

    unusable.refusals = true;
  });
  after(() => unusable[Symbol.asyncDispose]());

  test("does not start without its authentication configuration", async () => {
    await assert.rejects(
      startExtensionServer({ groups, front: { authentication: client } }),
      /authentication configuration: kube-system\/extension-apiserver-authentication: /,
    );
  });

  test("starts without it where that is tolerated, and is alive but not ready until it knows the objects in front", async () => {
    await using started = await startExtensionServer({
      groups,
      front: { authentication: client, authorization: client, objects: client, lookup: "tolerated" },
      admission: { plugins: extensionPlugins([]) },
    });
    const codeOf = async (path: string): Promise<number> => (await ask(path, { of: started })).code;
    assert.equal(await codeOf("/livez"), 200);
    assert.equal(await codeOf("/readyz"), 500);
    assert.equal(await started.isReady(), false);
    assert.equal((await ask(all, { of: started, as: proxy, headers: remote("alice") })).code, 401);
  });
});
