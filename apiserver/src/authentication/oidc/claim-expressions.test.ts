import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { reasonsText } from "../authenticator.js";
import { requestAuthenticator } from "../request-authenticator.js";
import { forApiAudiences } from "../tokens/api-audience.js";
import { bearerTokenAuthenticator } from "../tokens/bearer-token.js";
import { type AuthenticatorName, authenticators, claimCases } from "./expression-cases.test.support.js";
import { jwtIssuers } from "./jwt-issuers.js";
import { openOidcTokens } from "./oidc-tokens.js";
import { startTestIssuer, type TestIssuer } from "./test-issuer.test.support.js";

/** The status of a TokenReview of each token by kube-apiserver v1.29.0. */
const recorded: Record<AuthenticatorName, Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("../../../src/authentication/oidc/recorded-expressions.json", import.meta.url), "utf8"),
);

const apiAudiences = ["https://kubernetes.default.svc"];

/** Verdicts other than v1.29.0's, with the reason. */
const others: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    // v1.29.0 takes no list that a function of texts has made.
    "groups in one text",
    {
      authenticated: true,
      user: {
        username: "user-jane",
        uid: "3600",
        groups: ["a", "b", "c", "system:authenticated"],
        extra: { "example.com/zone": ["eu"] },
      },
      audiences: apiAudiences,
    },
  ],
  [
    // v1.29.0 loses the message of a rule about claims.
    "a message",
    {
      user: {},
      error:
        "[invalid bearer token, oidc: error evaluating claim validation expression: validation expression 'claims.exp - claims.iat <= 7200' failed: the token lives too long]",
    },
  ],
]);

describe("Tokens whose claims expressions map and check get v1.29's verdict and error", () => {
  const stopping = new AbortController();
  let folder: string;
  let issuer: TestIssuer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-claims-"));
    issuer = await startTestIssuer();
  });
  after(async () => {
    stopping.abort();
    await issuer[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Opens the authenticator of a document with one issuer. */
  async function open(name: AuthenticatorName) {
    const configFile = join(folder, `${name}.yaml`);
    const { url, certificateAuthorityPem: certificateAuthority } = issuer;
    const jwt = [{ issuer: { url, audiences: ["api"], certificateAuthority }, ...authenticators[name] }];
    const kind = "AuthenticationConfiguration";
    await writeFile(configFile, JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1alpha1", kind, jwt }));
    const [only = assert.fail()] = await jwtIssuers({ oidc: undefined, configFile });
    const tokens = await openOidcTokens({
      issuer: only,
      maxAgeMs: 60_000,
      now: Date.now,
      signal: stopping.signal,
      shelf: undefined,
      onTrouble: () => {},
    });
    return requestAuthenticator({
      authenticators: [bearerTokenAuthenticator(forApiAudiences(apiAudiences, tokens))],
      anonymousAllowed: true,
      apiAudiences,
    });
  }

  for (const name of Object.keys(authenticators) as AuthenticatorName[]) {
    test(`each of ${Object.keys(claimCases[name]).length} tokens with the authenticator "${name}"`, async () => {
      const authenticator = await open(name);
      const now = Math.floor(Date.now() / 1000);
      for (const [title, claims] of Object.entries(claimCases[name])) {
        const token = await issuer.sign({
          iss: issuer.url,
          aud: "api",
          sub: "jane",
          exp: now + 3600,
          iat: now,
          ...claims,
        });
        const headers = { authorization: `Bearer ${token}` };
        const decision = await authenticator.authenticate({ headers, headerValues: () => [], socket: undefined });
        const verdict =
          decision.outcome === "authenticated"
            ? { authenticated: true, user: withoutEmpty(decision.user), audiences: decision.audiences }
            : { user: {}, error: reasonsText(decision.reasons) };
        assert.deepEqual(verdict, others.get(title) ?? recorded[name][title], title);
      }
    });
  }
});

/** Returns a user as JSON shows it, without an empty name. */
function withoutEmpty(user: object): object {
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== ""));
}
