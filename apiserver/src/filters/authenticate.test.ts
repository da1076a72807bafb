import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatehouse/envelopes/status";
import type { RequestAuthenticator, RequestDecision } from "../authentication/request-authenticator.js";
import type { RequestContext } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";
import { authenticate } from "./authenticate.js";

const jane: UserInfo = { username: "jane", groups: ["system:authenticated"] };

/** Runs the filter with what the authenticators have concluded, and tells all that came of it. */
async function run(decision: RequestDecision, headers: Record<string, string> = {}) {
  const told: unknown[] = [];
  const authenticator: RequestAuthenticator = { authenticate: () => Promise.resolve(decision) };
  const attempt = (...what: unknown[]) => void told.push(["attempt", what[0], what[2]]);
  const filter = authenticate(
    authenticator,
    { apiAudiences: ["api"], requestHeader: undefined, closesStrangers: true },
    { authenticationFailed: (_context, reasons) => void told.push(["log", ...reasons]) },
    { attempt },
    { authentication: { observe() {} } },
  );
  const context = {
    exchange: {
      headers,
      headerNames: (matches: (name: string) => boolean) => Object.keys(headers).filter(matches),
      refuseMore: () => told.push(["refuse more"]),
    },
    warn: (text: string) => told.push(["warning", text]),
    annotate: (key: string, value: string) => told.push(["annotation", key, value]),
  } as unknown as RequestContext;
  try {
    await filter(context, ({ user }) => void told.push(["user", user]));
  } catch (error) {
    told.push([error instanceof StatusError ? error.code : error]);
  }
  return { told, headers };
}

test("a known client goes on, with what there is to say of the credential, and without it", async () => {
  const { told, headers } = await run(
    { outcome: "authenticated", user: jane, audiences: ["api"], warnings: ["old"], annotations: { "a/b": "c" } },
    { authorization: "Bearer x", "x-remote-user": "root", accept: "*/*" },
  );
  assert.deepEqual(told, [
    ["warning", "old"],
    ["attempt", "success", "jane"],
    ["annotation", "a/b", "c"],
    ["user", jane],
  ]);
  assert.deepEqual(headers, { accept: "*/*" });
});

test("a bad credential is 401, the reasons are for the log alone, and the connection ends", async () => {
  const { told } = await run({ outcome: "rejected", reasons: ["one", "two"] });
  assert.deepEqual(told, [["attempt", "error", undefined], ["log", "one", "two"], ["refuse more"], [401]]);
});

test("where no stranger is let in, nothing is logged of one", async () => {
  assert.deepEqual((await run({ outcome: "rejected", reasons: [] })).told, [
    ["attempt", "failure", undefined],
    ["refuse more"],
    [401],
  ]);
});

test("a credential for others is 401", async () => {
  const { told } = await run({ outcome: "authenticated", user: jane, audiences: ["others"] });
  assert.deepEqual(told, [
    ["attempt", "error", undefined],
    ["log", "the credential is not for this API"],
    ["refuse more"],
    [401],
  ]);
});

test("a stranger who is let in has the connection for this request", async () => {
  const stranger: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };
  const { told } = await run({ outcome: "authenticated", user: stranger });
  assert.deepEqual(told, [["attempt", "success", "system:anonymous"], ["refuse more"], ["user", stranger]]);
});
