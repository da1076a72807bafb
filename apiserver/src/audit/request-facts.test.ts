import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestContext } from "../request/request-context.js";
import { attemptedCredentials } from "./attempted-credentials.js";
import { recordedUri, recordedUserAgent } from "./request-facts.js";

/** A request with headers, whose values have a character for each byte. */
function requestWith(headers: Readonly<Record<string, string>>, query = "", certificate?: object): RequestContext {
  return {
    header: (name: string) => headers[name],
    query: new URLSearchParams(query),
    exchange: { socket: { getPeerX509Certificate: () => certificate } },
  } as unknown as RequestContext;
}

test("The path of a request is recorded with the escapes that it must have, the query as it was sent", () => {
  assert.equal(recordedUri('/a"b?c="d"&e=%zz'), '/a%22b?c="d"&e=%zz');
  assert.equal(recordedUri("/a%2fb?"), "/a%2fb?");
  assert.equal(recordedUri("/version#c"), "/version%23c");
  assert.equal(recordedUri("*"), "*");
});

test("The user agent is read as UTF-8, and cut after 1024 bytes", () => {
  const agentOf = (text: string): string =>
    recordedUserAgent(requestWith({ "user-agent": Buffer.from(text).toString("latin1") }));
  assert.equal(agentOf("caf\u00e9/1.0"), "caf\u00e9/1.0");
  assert.equal(agentOf("\u00e9".repeat(512)), "\u00e9".repeat(512));
  assert.equal(agentOf("\u00e9".repeat(513)), `${"\u00e9".repeat(512)}...TRUNCATED`);
  assert.equal(recordedUserAgent(requestWith({ "user-agent": "\u00e9" })), "\ufffd");
  assert.equal(recordedUserAgent(requestWith({})), "");
});

const attempts: readonly (readonly [authorization: string, attempted: string])[] = [
  ["Bearer a", "bearer"],
  [" bearer a b ", "bearer"],
  ["Basic YTpi", "basic"],
  ["basic YTpi", "basic"],
  ["Basic YWI=", ""],
  ["Basic a:b", ""],
  ["Basic  YTpi", ""],
  ["Bearer", ""],
  ["Digest a", ""],
];

test("A failed authentication is told with the sorts of credentials that were sent", () => {
  const told = (attempted: string): string =>
    `Authentication failed, ${attempted === "" ? "no credentials provided" : `attempted: ${attempted}`}`;
  for (const [authorization, attempted] of attempts) {
    assert.equal(attemptedCredentials(requestWith({ authorization })), told(attempted), authorization);
  }
  assert.equal(attemptedCredentials(requestWith({})), told(""));
  assert.equal(attemptedCredentials(requestWith({}, "access_token=+")), told(""));
  assert.equal(
    attemptedCredentials(requestWith({ authorization: "Bearer a" }, "access_token=b", {})),
    told("bearer, access_token, x509"),
  );
});
