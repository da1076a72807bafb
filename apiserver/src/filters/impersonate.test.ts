import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StatusError } from "@gatehouse/envelopes/status";
import type { AuthorizationAttributes, Authorizer } from "../authorization/authorizer.js";
import type { RequestContext } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";
import { impersonate } from "./impersonate.js";

type Headers = Readonly<Record<string, readonly string[]>>;

const admin: UserInfo = { username: "admin", groups: ["system:masters"] };

/** Runs the filter for a request with these headers, and tells what came of it. */
async function run(sent: Headers, authorizer: Authorizer = { authorize: () => ({ decision: "allow", reason: "" }) }) {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(sent)) {
    headers[name] = values.join(", ");
  }
  let seen: UserInfo | undefined;
  const exchange = {
    headers,
    target: "/api",
    headerNames: (matches: (name: string) => boolean) => Object.keys(headers).filter(matches),
    headerValues: (name: string) => sent[name] ?? [],
  };
  const context = { exchange, user: admin, setHeader() {} } as unknown as RequestContext;
  await impersonate(authorizer)(context, ({ user }) => {
    seen = user;
  });
  return { user: seen, headersLeft: Object.keys(headers) };
}

describe("Impersonation as v1.29 has it", () => {
  const authenticated = "system:authenticated";
  const rows: readonly [title: string, headers: Headers, user: UserInfo][] = [
    ["a request that asks for nobody is its user's own", {}, admin],
    ["an empty name asks for nobody", { "impersonate-user": [""] }, admin],
    ["a header that is none of them asks for nothing", { "impersonate-foo": ["x"] }, admin],
    [
      "a user alone is among the authenticated",
      { "impersonate-user": ["bob"] },
      { username: "bob", groups: [authenticated] },
    ],
    [
      "groups are told apart by header, not by comma",
      { "impersonate-user": ["bob"], "impersonate-group": ["a", "b, c"] },
      { username: "bob", groups: ["a", "b, c", authenticated] },
    ],
    [
      "who is said to be unauthenticated is not authenticated",
      { "impersonate-user": ["bob"], "impersonate-group": ["system:unauthenticated"] },
      { username: "bob", groups: ["system:unauthenticated"] },
    ],
    [
      "who is said to be authenticated is so once",
      { "impersonate-user": ["bob"], "impersonate-group": [authenticated] },
      { username: "bob", groups: [authenticated] },
    ],
    [
      "the stranger is unauthenticated",
      { "impersonate-user": ["system:anonymous"], "impersonate-group": ["x"] },
      { username: "system:anonymous", groups: ["x", "system:unauthenticated"] },
    ],
    [
      "a service account has its groups",
      { "impersonate-user": ["system:serviceaccount:a:b"] },
      {
        username: "system:serviceaccount:a:b",
        groups: ["system:serviceaccounts", "system:serviceaccounts:a", authenticated],
      },
    ],
    [
      "a service account with other groups has those",
      { "impersonate-user": ["system:serviceaccount:a:b"], "impersonate-group": ["x"] },
      { username: "system:serviceaccount:a:b", groups: ["x", authenticated] },
    ],
    [
      "a name that cannot be an account's is a user's",
      { "impersonate-user": ["system:serviceaccount:A:b"] },
      { username: "system:serviceaccount:A:b", groups: [authenticated] },
    ],
    [
      "uid and extra are taken over, keys decoded",
      {
        "impersonate-user": ["bob"],
        "impersonate-uid": ["12"],
        "impersonate-extra-foo": ["x", "y"],
        "impersonate-extra-acme.com%2fproject": ["z"],
        "impersonate-extra-a%zz": ["w"],
        "impersonate-extra-%c3%a9%ff": ["v"],
      },
      {
        username: "bob",
        groups: [authenticated],
        uid: "12",
        extra: { "é\ufffd": ["v"], "a%zz": ["w"], "acme.com/project": ["z"], foo: ["x", "y"] },
      },
    ],
    [
      "of two users the first counts",
      { "impersonate-user": ["bob", "carol"] },
      { username: "bob", groups: [authenticated] },
    ],
  ];
  for (const [title, headers, user] of rows) {
    test(title, async () => {
      const { user: seen, headersLeft } = await run(headers);
      assert.deepEqual(seen, user);
      const asks = (headers["impersonate-user"]?.[0] ?? "") !== "";
      assert.deepEqual(headersLeft, asks ? [] : Object.keys(headers));
    });
  }

  test("each part is authorized by itself, in its own group and resource", async () => {
    const asked: string[] = [];
    const authorizer: Authorizer = {
      authorize({ user, info }: AuthorizationAttributes) {
        asked.push(
          [user.username, info.verb, info.group, info.resource, info.subresource, info.namespace, info.name].join("|"),
        );
        return Promise.resolve({ decision: "allow", reason: "" });
      },
    };
    await run(
      {
        "impersonate-user": ["system:serviceaccount:ns:robot"],
        "impersonate-group": ["system:masters"],
        "impersonate-uid": ["7"],
        "impersonate-extra-scopes": ["a", "b"],
      },
      authorizer,
    );
    assert.deepEqual(asked, [
      "admin|impersonate||serviceaccounts||ns|robot",
      "admin|impersonate||groups|||system:masters",
      "admin|impersonate|authentication.k8s.io|userextras|scopes||a",
      "admin|impersonate|authentication.k8s.io|userextras|scopes||b",
      "admin|impersonate|authentication.k8s.io|uids|||7",
    ]);
  });

  for (const denied of ["users", "groups", "userextras", "uids"]) {
    test(`one part that is not allowed refuses all: ${denied}`, async () => {
      const authorizer: Authorizer = {
        authorize: ({ info }) => ({ decision: info.resource === denied ? "noOpinion" : "allow", reason: "no" }),
      };
      const headers = {
        "impersonate-user": ["bob"],
        "impersonate-group": ["bob"],
        "impersonate-uid": ["bob"],
        "impersonate-extra-k": ["bob"],
      };
      await assert.rejects(run(headers, authorizer), (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 403);
        const group = denied === "userextras" || denied === "uids" ? "authentication.k8s.io" : "";
        const [short, long] = denied === "userextras" ? ["userextras", "userextras/k"] : [denied, denied];
        assert.equal(
          error.message,
          `${short}${group === "" ? "" : `.${group}`} "bob" is forbidden: User "admin" cannot impersonate resource "${long}" in API group "${group}" at the cluster scope: no`,
        );
        return true;
      });
    });
  }
});
