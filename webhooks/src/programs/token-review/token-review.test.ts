import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { anyCaller } from "@gatehouse/component-base/https-service";
import type { KeyTiming } from "@gatehouse/component-base/identity-tokens";
import { createLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import request from "supertest";
import { reviewMiddleware } from "../../toolkit/server/review-middleware.js";
import { printedBy, reviewProgramContract } from "../review-program/review-program.test.support.js";
import { openReloadingTokenReviewer } from "./open-token-reviewer.js";
import { runTokenReview } from "./run-token-review.js";
import { startTestIssuer, type TestIssuer } from "./test-issuer.test.support.js";
import { tokenReviewEndpoint } from "./token-review-endpoint.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-token-review-"));
const file = join(folder, "config.yaml");
let issuer: TestIssuer;

before(async () => {
  issuer = await startTestIssuer();
  writeFileSync(join(folder, "issuer.crt"), issuer.certificateAuthorityPem);
  writeFileSync(join(folder, "secret"), "se+cret\n");
});

after(async () => {
  await issuer[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function write(content: object): void {
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: "config.gatehouse.dev/v1alpha1", kind: "TokenReviewConfiguration", ...content }),
  );
}

const own = () => ({
  audiences: ["https://kubernetes.example.com"],
  issuers: [
    {
      url: issuer.url,
      audiences: ["kubectl", "dashboard"],
      algorithms: ["ES256", "RS256"],
      certificateAuthority: "issuer.crt",
      claimMappings: {
        groups: { claim: "groups", prefix: "corp:" },
        uid: "sub",
        extra: [{ key: "example.com/tenant", claim: "tenant" }],
      },
    },
  ],
  introspection: [
    {
      url: `${issuer.url}/introspect`,
      clientID: "re:viewer",
      clientSecretFile: "secret",
      certificateAuthority: "issuer.crt",
      audiences: ["kubectl"],
      requiredClaims: { token_type: "access" },
      claimMappings: { username: { claim: "username", prefix: "opaque:" } },
    },
  ],
});

interface OpenOptions {
  readonly timing?: Partial<KeyTiming>;
  readonly now?: () => number;
}

async function open(content: object = own(), options: OpenOptions = {}) {
  write(content);
  const lines: string[] = [];
  const logger = createLogger({ name: "test", level: "debug", format: "text", write: (line) => lines.push(line) });
  const metrics = createMetricsRegistry({ processMetrics: false });
  const reviewer = await openReloadingTokenReviewer({ file, logger, metrics, ...options });
  const endpoint = await tokenReviewEndpoint({ reviewer: () => reviewer.current.reviewer });
  const middleware = reviewMiddleware({ endpoints: [endpoint], callers: anyCaller, logger, metrics });
  const server = createServer((incoming, response) => middleware(incoming, response, () => response.end()));
  const post = async (review: object) => {
    const { status, body } = await request(server).post("/token-review").send(review);
    return [status, body as JsonObject] as const;
  };
  return {
    reviewer,
    lines,
    metrics,
    post,
    /** The status of the answer. */
    async ask(token: string, audiences?: readonly string[], version = "v1") {
      const envelope = { apiVersion: `authentication.k8s.io/${version}`, kind: "TokenReview" };
      const spec = { token, ...(audiences === undefined ? {} : { audiences }) };
      const [code, { status, ...rest }] = await post({ ...envelope, metadata: { creationTimestamp: null }, spec });
      assert.equal(code, 200, JSON.stringify(rest));
      assert.deepEqual(rest, envelope);
      return status as JsonObject;
    },
    [Symbol.dispose]: () => reviewer[Symbol.dispose](),
  };
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const base64 = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

describe("Token review", () => {
  test("says whose token it is, in both versions", async () => {
    using opened = await open();
    const { ask, metrics } = opened;
    const token = await issuer.sign({ groups: ["dev", "ops"], tenant: "blue" });
    const status = {
      authenticated: true,
      user: {
        username: `${issuer.url}#jane`,
        uid: "jane",
        groups: ["corp:dev", "corp:ops"],
        extra: { "example.com/tenant": ["blue"] },
      },
      audiences: ["https://kubernetes.example.com"],
    };
    assert.deepEqual(await ask(token), status);
    assert.deepEqual(await ask(token, undefined, "v1beta1"), status);
    assert.deepEqual(await ask(token, []), status);
    assert.match(await metrics.render(), /hook="token-review",outcome="authenticated"\} 3/);
  });

  test("audiences are those that are asked for, or the API server's own", async () => {
    using opened = await open();
    const audiencesFor = async (held: unknown, wanted: readonly string[]) => {
      const status = await opened.ask(await issuer.sign({ aud: held }), wanted);
      return status["audiences"] ?? status["error"];
    };
    const none = "the token is for none of the audiences that are asked for";
    assert.deepEqual(await audiencesFor("kubectl", ["https://kubernetes.example.com", "x"]), [
      "https://kubernetes.example.com",
    ]);
    assert.deepEqual(await audiencesFor(["kubectl", "vault"], ["kubectl", "kubectl", "vault"]), ["kubectl"]);
    assert.equal(await audiencesFor(["kubectl", "vault"], ["vault"]), none, "nobody has said that vault counts here");
    assert.equal(await audiencesFor("kubectl", ["dashboard"]), none);
    assert.equal(
      await audiencesFor("vault", []),
      'oidc: verify token: oidc: expected audience one of ["kubectl" "dashboard"] got ["vault"]',
    );
  });

  test("attacks are refused", async () => {
    using opened = await open();
    const good = await issuer.sign();
    const [header = "", payload = ""] = good.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const pem = createPublicKey(issuer.keyOf("a")).export({ type: "spki", format: "pem" });
    const strange = issuer.keyOf("strange");
    const jwk = createPublicKey(strange).export({ format: "jwk" });
    const elsewhere = { jku: `${issuer.url}/evil`, x5u: `${issuer.url}/evil`, jwk };
    const unsigned = "oidc: verify token: failed to verify signature: failed to verify id token signature";
    const algorithm = (name: string) =>
      `oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["ES256" "RS256"] got "${name}"`;
    const rows: readonly [string, string | Promise<string>, string | RegExp | undefined][] = [
      ["alg none", `${base64({ alg: "none" })}.${payload}.`, algorithm("none")],
      ["alg nOnE", `${base64({ alg: "nOnE", kid: "a" })}.${payload}.AAAA`, algorithm("nOnE")],
      ["HS256 with the public key", issuer.sign({}, { alg: "HS256" }, Buffer.from(pem)), algorithm("HS256")],
      ["another algorithm than that of the key", `${base64({ alg: "RS256", kid: "a" })}.${payload}.AAAA`, unsigned],
      ["another key with the same id", issuer.sign({}, {}, strange), unsigned],
      ["jku, x5u and jwk with the key", issuer.sign({}, { ...elsewhere, kid: "strange" }, strange), unsigned],
      ["jku, x5u and jwk without a key id", issuer.sign({}, { ...elsewhere, kid: undefined }, strange), unsigned],
      ["a path for a key id", issuer.sign({}, { kid: "../../dev/null" }, strange), unsigned],
      ["SQL for a key id", issuer.sign({}, { kid: "a' OR '1'='1" }, strange), unsigned],
      ["a URL for a key id", issuer.sign({}, { kid: `${issuer.url}/evil` }, strange), unsigned],
      ["__proto__ for a key id", issuer.sign({}, { kid: "__proto__" }, strange), unsigned],
      ["changed claims", `${header}.${base64({ ...claims, sub: "admin" })}.${good.split(".")[2]}`, unsigned],
      ["expired", issuer.sign({ exp: nowSeconds() - 60 }), /^oidc: verify token: oidc: token is expired/],
      ["without an end", issuer.sign({ exp: undefined }), /^oidc: verify token: oidc: token is expired/],
      ["not yet valid", issuer.sign({ nbf: nowSeconds() + 600 }), /before the nbf \(not before\) time/],
      ["the issuer with a slash", issuer.sign({ iss: `${issuer.url}/` }), undefined],
      ["the issuer in capitals", issuer.sign({ iss: issuer.url.toUpperCase() }), undefined],
      ["a list of issuers", issuer.sign({ iss: [issuer.url] }), undefined],
      ["no name", issuer.sign({ sub: undefined }), 'oidc: parse username claims "sub": claim not present'],
      ["a huge token", `${header}.${"A".repeat(70_000)}.A`, "the token has more than 65536 characters"],
      ["rubbish", "\u0000..;--", undefined],
      ["five parts", `${good}.A.A`, undefined],
    ];
    for (const [name, token, error] of rows) {
      const status = await opened.ask(await token);
      assert.equal(status["authenticated"], false, name);
      if (error instanceof RegExp) {
        assert.match(String(status["error"]), error, name);
      } else {
        assert.equal(status["error"], error, name);
      }
    }
    assert.equal(issuer.asked("/evil"), 0);
    const long = await opened.ask(await issuer.sign({ aud: "x".repeat(10_000) }));
    assert.equal(String(long["error"]).length, 1003);
    assert.equal((await opened.ask(good))["authenticated"], true);
  });

  test("names of the API server's own are not for outsiders", async () => {
    const bare = own();
    const claimMappings = { username: { claim: "sub", prefix: "" }, groups: { claim: "groups" } };
    using opened = await open({ ...bare, issuers: bare.issuers.map((one) => ({ ...one, claimMappings })) });
    const errorOf = async (claims: object) => (await opened.ask(await issuer.sign(claims)))["error"];
    const reserved = (name: string) =>
      `the token claims "${name}": names that begin with "system:" are not for outsiders`;
    assert.equal(await errorOf({ groups: ["a", "system:masters"] }), reserved("system:masters"));
    assert.equal(await errorOf({ sub: "system:admin" }), reserved("system:admin"));
    assert.equal(await errorOf({ sub: "" }), "the token names no user");
    assert.equal(await errorOf({ groups: "a" }), undefined);
  });

  test("a new key is fetched when a token names it, and strange ones lead to few fetches", async () => {
    const cooldownMs = 200;
    using opened = await open(own(), { timing: { cooldownMs } });
    assert.equal((await opened.ask(await issuer.sign()))["authenticated"], true);
    issuer.published.add("b");
    const fetched = issuer.asked("/keys");
    await new Promise((resolve) => setTimeout(resolve, 250));
    const token = await issuer.sign({}, { kid: "b" }, issuer.keyOf("b"));
    assert.equal((await opened.ask(token))["authenticated"], true);
    assert.equal(issuer.asked("/keys"), fetched + 1);
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        opened.ask(await issuer.sign({}, { kid: `strange-${index}` }, issuer.keyOf("strange"))),
      ),
    );
    // A slow machine takes longer than one pause for them.
    const pauses = Math.floor((performance.now() - startedAt) / cooldownMs);
    assert.ok(issuer.asked("/keys") <= fetched + 2 + pauses, String(issuer.asked("/keys") - fetched));
  });

  test("keys outlive the issuer, also when the configuration changes; without any nothing can be said", async () => {
    using opened = await open();
    const { ask, reviewer, post, lines } = opened;
    assert.equal((await ask(await issuer.sign()))["authenticated"], true);
    issuer.isDown = true;
    try {
      assert.equal((await ask(await issuer.sign({ sub: "joe" })))["authenticated"], true);
      write({ ...own(), audiences: ["other"] });
      assert.equal(await reviewer.checkNow(), "reloaded");
      assert.deepEqual((await ask(await issuer.sign({ sub: "jim" })))["audiences"], ["other"]);
      using fresh = await open();
      const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview" };
      assert.deepEqual(await fresh.ask(await issuer.sign()), {
        authenticated: false,
        error: `the keys of the issuer ${issuer.url} are not known`,
      });
      assert.match(await fresh.metrics.render(), /hook="token-review",outcome="failed"\} 1/);
      assert.match(fresh.lines.join("\n"), /an issuer does not answer as it should .*discovery failed: status 503/);
      const [code, body] = await post({ ...review, spec: { token: "opaque" } });
      assert.deepEqual(
        [code, body["message"]],
        [500, 'Internal error occurred: hook "token-review" failed to decide; its log has the details'],
      );
      assert.match(lines.join("\n"), /the introspection server https:\S+ answers 503/);
    } finally {
      issuer.isDown = false;
    }
  });

  test("opaque tokens are asked about, and what is known is remembered until it ends", async () => {
    let now = Date.now();
    using opened = await open(own(), { now: () => now });
    const expires = nowSeconds() + 30;
    const good = { active: true, username: "jane", sub: "7", aud: ["kubectl"], exp: expires, token_type: "access" };
    issuer.opaque.set("good", good);
    const asked = issuer.asked("/introspect");
    const status = {
      authenticated: true,
      user: { username: "opaque:jane", groups: [] },
      audiences: ["https://kubernetes.example.com"],
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => opened.ask("good")));
    assert.deepEqual(answers, Array(10).fill(status));
    assert.equal(issuer.asked("/introspect"), asked + 1, "one question for all that come at once");
    now = expires * 1000 - 1;
    assert.deepEqual(await opened.ask("good"), status);
    assert.equal(issuer.asked("/introspect"), asked + 1);
    now = expires * 1000;
    assert.deepEqual(await opened.ask("good"), { authenticated: false, error: "the token has expired" });
    assert.equal(issuer.asked("/introspect"), asked + 2, "never beyond its end");
    const shown = await opened.metrics.render();
    const lookups = (result: string): number =>
      Number(new RegExp(`cache_lookups_total\\{result="${result}"\\} (\\d+)`).exec(shown)?.[1]);
    assert.equal(lookups("miss"), 2);
    assert.equal(lookups("shared") + lookups("hit"), 10);
    now = Date.now();
    const rows: readonly [string, object, string | undefined][] = [
      ["inactive", { ...good, active: false }, undefined],
      ["nearly active", { ...good, active: "true" }, undefined],
      ["for others", { ...good, aud: "vault" }, "the token is for none of the audiences that count here"],
      ["for nobody", { ...good, aud: undefined }, "the token is for none of the audiences that count here"],
      ["early", { ...good, nbf: nowSeconds() + 600 }, "the token is not valid yet"],
      ["endless text", { ...good, exp: "never" }, "exp must be a number"],
      [
        "of another type",
        { ...good, token_type: "refresh" },
        "oidc: required claim token_type value does not match. Got = refresh, want = access",
      ],
    ];
    for (const [token, content, error] of rows) {
      issuer.opaque.set(token, content);
      assert.deepEqual(await opened.ask(token), { authenticated: false, ...(error === undefined ? {} : { error }) });
    }
    const before = issuer.asked("/introspect");
    assert.deepEqual(await opened.ask("nobody's"), { authenticated: false });
    assert.deepEqual(await opened.ask("nobody's"), { authenticated: false });
    assert.equal(issuer.asked("/introspect"), before + 1);
  });

  test("what is no review is a 400 that says why, and no token is ever logged", async () => {
    using opened = await open();
    const { post, lines, ask, reviewer } = opened;
    const envelope = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview" };
    const rows: readonly [object, string][] = [
      [{}, "null of null is no TokenReview of authentication.k8s.io/v1 or v1beta1"],
      [envelope, "TokenReview: spec: must be object"],
      [{ ...envelope, spec: {} }, "TokenReview: spec.token: is required"],
      [{ ...envelope, spec: { token: "" } }, "TokenReview: spec.token: is required"],
      [
        { ...envelope, spec: { token: ["hunter2"], audiences: "a" } },
        "TokenReview: spec.token: must be string; spec.audiences: must be array",
      ],
    ];
    for (const [review, message] of rows) {
      const [code, body] = await post(review);
      assert.deepEqual([code, body["message"]], [400, message]);
    }
    const token = await issuer.sign({ aud: "vault" });
    await ask(token);
    issuer.isDown = true;
    await post({ ...envelope, spec: { token: "hunter2" } });
    issuer.isDown = false;
    write({ audiences: [] });
    assert.equal(await reviewer.checkNow(), "refused");
    assert.equal((await ask(await issuer.sign()))["authenticated"], true);
    const log = lines.join("\n");
    assert.match(log, /keeping the old ones/);
    for (const secret of ["hunter2", token, token.split(".")[2] ?? "", "se+cret", "se%2Bcret"]) {
      assert.ok(!log.includes(secret), log);
    }
  });
});

describe("gatehouse-token-review", () => {
  const run = printedBy(runTokenReview);
  reviewProgramContract("gatehouse-token-review", run);

  test("does not start half-right", async () => {
    const claimMappings = { extra: [{ key: "A", claim: "a" }] };
    const good = { url: "https://a", audiences: ["x"] };
    write({
      audiences: [""],
      issuers: [
        { url: "http://me:you@a?b#c", audiences: [], certificateAuthority: "secret", claimMappings },
        good,
        good,
        { ...good, url: "https://b", algorithms: ["RS256"] },
      ],
      introspection: [{ ...good, clientID: "a", clientSecretFile: "no-such", certificateAuthority: "no-such" }],
    });
    assert.deepEqual(await run(`--config=${file}`), [
      1,
      "gatehouse-token-review: flags: 2 problems:\n  - --tls-cert-file: is required\n  - --tls-private-key-file: is required",
    ]);
    const pair = ["--tls-cert-file=/no/such", "--tls-private-key-file=/no/such"];
    const [code, problems] = await run(`--config=${file}`, ...pair);
    assert.equal(code, 1);
    assert.deepEqual(problems.split("\n").slice(1).sort(), [
      "  - audiences: must have an audience, and none without a name",
      "  - introspection[0].certificateAuthority: holds no certificate",
      "  - introspection[0].clientSecretFile: holds no secret",
      "  - issuers[0].audiences: must have an audience, and none without a name",
      "  - issuers[0].certificateAuthority: holds no certificate",
      "  - issuers[0].claimMappings.extra[0].key: must be in lower case, and not empty",
      "  - issuers[0].url: URL must not contain a fragment",
      "  - issuers[0].url: URL must not contain a query",
      "  - issuers[0].url: URL must not contain a username or password",
      "  - issuers[0].url: URL scheme must be https",
      '  - issuers[2].url: "https://a" is there twice',
    ]);
    write({ audiences: ["a"], issuers: [{ ...good, algorithms: ["HS256", "none"] }] });
    assert.match(
      (await run(`--config=${file}`, ...pair))[1],
      /issuers\[0\]\.algorithms\[0\]: must be one of RS256, RS384, RS512, ES256, .*\n.*algorithms\[1\]/,
    );
  });
});
