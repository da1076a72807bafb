import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import type { JwtIssuer, KeyTiming } from "@gatehouse/component-base/identity-tokens";
import type { Problem } from "@gatehouse/component-base/problems";
import { eventually } from "@gatehouse/testing/eventually";
import { authenticationFlags } from "../../options/authentication-flags.js";
import { type IssuersConfig, resolveOidc } from "../../options/oidc.js";
import { type AuthenticationDecision, reasonsText } from "../authenticator.js";
import { requestAuthenticator } from "../request-authenticator.js";
import { forApiAudiences } from "../tokens/api-audience.js";
import { bearerTokenAuthenticator } from "../tokens/bearer-token.js";
import { jwtIssuers } from "./jwt-issuers.js";
import { keyShelf } from "./key-shelf.js";
import { type OidcFlagSet, oidcFlagSets, oidcTokenCases } from "./oidc-cases.test.support.js";
import { type OidcTokens, openOidcTokens } from "./oidc-tokens.js";
import { publicJwk, startTestIssuer, type TestIssuer } from "./test-issuer.test.support.js";

const recorded: Record<OidcFlagSet, Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("../../../src/authentication/oidc/recorded-verdicts.json", import.meta.url), "utf8"),
);
const nowSeconds = () => Math.floor(Date.now() / 1000);
const dayMs = 24 * 60 * 60 * 1000;

/** The configuration that these flags make. */
function configOf(...flags: readonly string[]): IssuersConfig {
  const parsed = parseFlags(authenticationFlags, flags);
  assert.equal(parsed.outcome, "values" in parsed ? parsed.outcome : "");
  const { values } = parsed as Extract<typeof parsed, { values: unknown }>;
  const problems: Problem[] = [];
  const oidc = resolveOidc(values, problems);
  assert.deepEqual(problems, []);
  return { oidc, configFile: values["authentication-config"] };
}

describe("OpenID Connect", () => {
  const stopping = new AbortController();
  let folder: string;
  let issuer: TestIssuer;
  let foreign: TestIssuer;
  let caFile: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-oidc-"));
    [issuer, foreign] = await Promise.all([startTestIssuer(), startTestIssuer()]);
    caFile = join(folder, "ca.crt");
    await writeFile(caFile, issuer.certificateAuthorityPem);
  });
  after(async () => {
    stopping.abort();
    await Promise.all([issuer[Symbol.asyncDispose](), foreign[Symbol.asyncDispose]()]);
    await rm(folder, { recursive: true });
  });

  const issuerOf = async (set: OidcFlagSet, url = issuer.url): Promise<JwtIssuer> => {
    const flags = Object.entries(oidcFlagSets[set]).flatMap(([flag, value]: [string, string | readonly string[]]) =>
      [value].flat().map((item) => `--oidc-${flag}=${item}`),
    );
    const config = configOf(`--oidc-issuer-url=${url}`, "--oidc-client-id=api", `--oidc-ca-file=${caFile}`, ...flags);
    return (await jwtIssuers(config))[0] ?? assert.fail();
  };
  interface OpenOptions {
    readonly timing?: Partial<KeyTiming>;
    readonly shelf?: ReturnType<typeof keyShelf>;
    readonly maxAgeMs?: number;
    readonly now?: () => number;
  }
  const troubles: (readonly [string, string | undefined])[] = [];
  const open = (of: JwtIssuer, { timing, shelf, maxAgeMs = dayMs, now = Date.now }: OpenOptions = {}) =>
    openOidcTokens({
      issuer: of,
      maxAgeMs,
      now,
      signal: stopping.signal,
      shelf,
      onTrouble: (url, problem) => troubles.push([url, problem?.message]),
      ...(timing === undefined ? {} : { timing }),
    });
  const ask = (tokens: OidcTokens, token: string) => tokens.authenticateToken(token, []);
  const claims = (more: object = {}) => ({
    iss: issuer.url,
    aud: "api",
    sub: "jane",
    exp: nowSeconds() + 3600,
    ...more,
  });
  const jane = (decision: AuthenticationDecision) =>
    assert.deepEqual(decision, {
      outcome: "authenticated",
      user: { username: `${issuer.url}#jane`, groups: [] },
    });
  const unknownKey = {
    outcome: "rejected",
    reasons: ["oidc: verify token: failed to verify signature: failed to verify id token signature"],
  };

  /** Go's own words for what is malformed, which nobody needs letter by letter; the verdict is v1.29's. */
  const otherWords: ReadonlyMap<string, string> = new Map([
    [
      "header no JSON",
      "[invalid bearer token, oidc: verify token: oidc: malformed jwt: square/go-jose: the header is no JSON]",
    ],
  ]);

  for (const set of Object.keys(oidcFlagSets) as OidcFlagSet[]) {
    test(`each of ${Object.keys(recorded[set]).length} tokens gets v1.29's verdict and error with the flags "${set}"`, async () => {
      // To sign them takes long on a slow machine: the issuer, which is in this process, answers nothing meanwhile.
      const cases = await oidcTokenCases(set, issuer, foreign, nowSeconds());
      assert.deepEqual([...cases.keys()], Object.keys(recorded[set]));
      const tokens = await open(await issuerOf(set), { timing: { cooldownMs: 0 } });
      const apiAudiences = ["https://kubernetes.default.svc"];
      const authenticator = requestAuthenticator({
        authenticators: [bearerTokenAuthenticator(forApiAudiences(apiAudiences, tokens))],
        anonymousAllowed: true,
        apiAudiences,
      });
      const verdicts: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const [name, token] of cases) {
        const headers = { authorization: `Bearer ${token}` };
        const decision = await authenticator.authenticate({ headers, headerValues: () => [], socket: undefined });
        verdicts[name] = JSON.parse(
          JSON.stringify(
            decision.outcome === "authenticated"
              ? { authenticated: true, user: decision.user, audiences: decision.audiences }
              : { user: {}, error: reasonsText(decision.reasons) },
          )
            .replaceAll(issuer.url, "ISSUER")
            .replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC/g, "TIME"),
        );
        const other = otherWords.get(name);
        expected[name] = other === undefined ? recorded[set][name] : { user: {}, error: other };
      }
      assert.deepEqual(verdicts, expected);
    });
  }

  test("unknown keys lead to one fetch, however many tokens name them", async () => {
    await using own = await startTestIssuer();
    const ownIssuer = {
      ...(await issuerOf("plain")),
      url: own.url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    };
    const tokens = await open(ownIssuer);
    const mine = (kid: string) => own.sign({ ...claims(), iss: own.url }, { kid });
    assert.equal((await ask(tokens, await mine("rsa"))).outcome, "authenticated");
    const before = own.asked("/keys");
    const rotated = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const attack = async (from: number) => {
      const guesses = await Promise.all(Array.from({ length: 50 }, (_item, index) => mine(`k${from + index}`)));
      const answers = await Promise.all(guesses.map((guess) => ask(tokens, guess)));
      for (const answer of answers) {
        assert.deepEqual(answer, unknownKey);
      }
    };
    await attack(0);
    await attack(50);
    assert.ok(own.asked("/keys") - before <= 1, `${own.asked("/keys") - before} fetches`);
    own.keys = [...own.keys, { ...(await publicJwk(rotated)), kid: "rotated" }];
    assert.equal((await ask(tokens, await mine("rsa"))).outcome, "authenticated");
  });

  test("a new key is fetched when the first token with it comes, and an old one is forgotten", async () => {
    await using own = await startTestIssuer();
    const ownIssuer = {
      ...(await issuerOf("plain")),
      url: own.url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    };
    const tokens = await open(ownIssuer, { timing: { cooldownMs: 0 } });
    const token = (kid: string, key?: Parameters<TestIssuer["sign"]>[2]) =>
      own.sign({ ...claims(), iss: own.url }, { kid }, key);
    assert.equal((await ask(tokens, await token("rsa"))).outcome, "authenticated");
    const rotated = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    own.keys = [{ ...(await publicJwk(rotated)), kid: "rotated" }];
    assert.equal((await ask(tokens, await token("rotated", rotated))).outcome, "authenticated");
    assert.deepEqual(await ask(tokens, await token("rsa")), unknownKey);
  });

  test("a token is reason to ask at once for keys that could not be fetched before", async () => {
    await using own = await startTestIssuer();
    own.pages.set("/keys", { status: 503, body: "later" });
    const ownIssuer = {
      ...(await issuerOf("plain")),
      url: own.url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    };
    const tokens = await open(ownIssuer);
    await eventually(() => assert.equal(tokens.problem?.message, "oidc: get keys failed: status 503"));
    own.pages.delete("/keys");
    const token = await own.sign({ ...claims(), iss: own.url });
    assert.equal((await ask(tokens, token)).outcome, "authenticated");
  });

  test("an issuer that is down stops nobody, and is asked until it answers", async () => {
    await using own = await startTestIssuer();
    const page = "/.well-known/openid-configuration";
    own.pages.set(page, { status: 503, body: "later" });
    const ownIssuer = {
      ...(await issuerOf("plain")),
      url: own.url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    };
    const tokens = await open(ownIssuer, { timing: { retryMs: 20 } });
    const token = await own.sign({ ...claims(), iss: own.url });
    assert.deepEqual(await ask(tokens, token), {
      outcome: "rejected",
      reasons: ["oidc: authenticator not initialized"],
    });
    assert.equal(tokens.problem?.message, "oidc: discovery failed: status 503");
    assert.deepEqual(troubles.at(-1), [own.url, "oidc: discovery failed: status 503"]);
    own.pages.delete(page);
    await eventually(async () => assert.equal((await ask(tokens, token)).outcome, "authenticated"));
    assert.equal(tokens.problem, undefined);
    assert.deepEqual(troubles.at(-1), [own.url, undefined]);
  });

  test("an issuer that calls itself something else is none", async () => {
    await using own = await startTestIssuer();
    const body = JSON.stringify({ issuer: `${own.url}/`, jwks_uri: `${own.url}/keys` });
    own.pages.set("/.well-known/openid-configuration", { status: 200, body });
    const tokens = await open({
      ...(await issuerOf("plain")),
      url: own.url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    });
    await ask(tokens, await own.sign({ ...claims(), iss: own.url }));
    assert.equal(
      tokens.problem?.message,
      `oidc: issuer did not match the issuer returned by provider, expected "${own.url}" got "${own.url}/"`,
    );
  });

  test("an issuer may say that its documents are elsewhere, over HTTPS and within ten steps", async () => {
    await using own = await startTestIssuer();
    const page = "/.well-known/openid-configuration";
    const ownIssuer = {
      ...(await issuerOf("plain")),
      url: own.url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    };
    const moved = (path: string, location: string) => own.pages.set(path, { status: 302, body: "", location });
    const elsewhere = { status: 200, body: JSON.stringify({ issuer: own.url, jwks_uri: `${own.url}/moved-keys` }) };
    moved(page, "/elsewhere");
    own.pages.set("/elsewhere", elsewhere);
    moved("/moved-keys", `${own.url}/keys`);
    const token = await own.sign({ ...claims(), iss: own.url });
    assert.equal((await ask(await open(ownIssuer), token)).outcome, "authenticated");
    for (const [location, problem] of [
      [page, `Get "${own.url}${page}": stopped after 10 redirects`],
      ["http://127.0.0.1:1/", 'Get "http://127.0.0.1:1/": it is no https URL'],
      ["file:///etc/passwd", 'Get "file:///etc/passwd": it is no https URL'],
    ] as const) {
      moved(page, location === page ? `${own.url}${page}` : location);
      const tokens = await open(ownIssuer, { timing: { attempts: 1 } });
      assert.equal((await ask(tokens, token)).outcome, "rejected");
      assert.equal(tokens.problem?.message, problem);
    }
    // Once at the start, and once for the token.
    assert.equal(own.asked(page), 1 + 2 * (11 + 1 + 1));
  });

  test("the last good keys outlive the process and the issuer, for as long as they may", async () => {
    const shelfFolder = join(folder, "issuer-keys");
    const of = await issuerOf("plain");
    jane(await ask(await open(of, { shelf: keyShelf(shelfFolder, issuer.url) }), await issuer.sign(claims())));
    const [file = ""] = await readdir(shelfFolder);
    assert.equal((await stat(join(shelfFolder, file))).mode & 0o777, 0o600);
    const text = readFileSync(join(shelfFolder, file), "utf8");
    assert.doesNotMatch(text, /"d":/);
    // Nobody is there any more to ask.
    const gone = { ...of, certificateAuthorityPem: foreign.certificateAuthorityPem };
    const shelf = keyShelf(shelfFolder, issuer.url);
    let now = Date.now();
    const tokens = await open(gone, { shelf, now: () => now });
    const exp = nowSeconds() + 3 * 24 * 3600;
    jane(await ask(tokens, await issuer.sign(claims({ exp }))));
    assert.notEqual(tokens.problem, undefined);
    now += dayMs + 60_000;
    assert.deepEqual(await ask(tokens, await issuer.sign(claims({ exp }))), {
      outcome: "rejected",
      reasons: ["oidc: authenticator not initialized"],
    });
    const late = await open(gone, { shelf, maxAgeMs: 1, now: () => now });
    assert.equal((await ask(late, await issuer.sign(claims({ exp })))).outcome, "rejected");
    await writeFile(join(shelfFolder, file), '{"keys":');
    assert.equal((await ask(await open(gone, { shelf }), await issuer.sign(claims()))).outcome, "rejected");
  });

  test("keys rotate while every fifth connection is lost: no token is refused", async () => {
    await using own = await startTestIssuer();
    let connections = 0;
    // Loses every fifth connection in the middle, and is between the server and the issuer.
    const proxy = createServer((client) => {
      const upstream = connect(Number(new URL(own.url).port), "127.0.0.1");
      client.on("error", () => {}).on("close", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
      client.pipe(upstream).pipe(client);
      connections++;
      if (connections % 5 === 0) {
        client.once("data", () => client.destroy());
      }
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const body = JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` });
    own.pages.set("/.well-known/openid-configuration", { status: 200, body });
    const through = {
      ...(await issuerOf("plain")),
      signingAlgorithms: ["ES256"],
      url,
      certificateAuthorityPem: own.certificateAuthorityPem,
    };
    const timing = { cooldownMs: 0, retryMs: 5, refreshMs: 5 };
    const tokens = await open(through, { timing });
    const signing: { kid: string; key: ReturnType<typeof generateKeyPairSync>["privateKey"] }[] = [];
    for (let round = 0; round < 30; round++) {
      const kid = `key-${round}`;
      const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
      signing.push({ kid, key });
      own.keys = await Promise.all(signing.map(async (item) => ({ ...(await publicJwk(item.key)), kid: item.kid })));
      for (const { kid: id, key: by } of signing) {
        const token = await own.sign({ ...claims(), iss: url }, { alg: "ES256", kid: id }, by);
        const { outcome } = await ask(tokens, token);
        assert.equal(outcome, "authenticated", `a token with the key ${id} in round ${round}`);
      }
    }
    proxy.close();
    assert.ok(connections >= 30, `${connections} connections`);
  });
});
