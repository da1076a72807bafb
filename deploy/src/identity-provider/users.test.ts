import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base";
import { findUser, parseUsers } from "./users.js";

const text = `users:
  - {name: alice, password: "sesame", groups: [developers]}
  - {name: bob, password: "0123", groups: []}
`;

test("a user is found by name and password, and not by less", async () => {
  const users = await parseUsers(text, "users.yaml");
  assert.deepEqual(findUser(users, "alice", "sesame"), {
    name: "alice",
    password: "sesame",
    groups: ["developers"],
  });
  for (const [name, password] of [
    ["alice", "sesam"],
    ["alice", ""],
    ["bob", "sesame"],
    ["", ""],
    ["carol", "sesame"],
  ] as const) {
    assert.equal(findUser(users, name, password), undefined);
  }
});

test("a file of users that are none is refused", async () => {
  const incomplete = "users.yaml: users[0]: must have a name, a password, and a list of groups, all of them texts";
  const cases = {
    "users: []": "users.yaml: users: must name somebody",
    "users: [{name: a, groups: []}]": incomplete,
    "users: [{name: a, password: 1, groups: []}]": incomplete,
    "users: [{name: a, password: b, groups: c}]": incomplete,
    "users: [3]": incomplete,
  };
  for (const [source, message] of Object.entries(cases)) {
    await assert.rejects(parseUsers(source, "users.yaml"), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.equal(error.message, message);
      return true;
    });
  }
});
