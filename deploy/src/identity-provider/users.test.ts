import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { findUser, readUsers } from "./users.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-users-"));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "users.yaml");

const text = `users:
  - {name: alice, password: "sesame", groups: [developers]}
  - {name: bob, password: "0123", groups: []}
`;

test("a user is found by name and password, and not by less", async () => {
  writeFileSync(file, text);
  const users = await readUsers(file);
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

test("a file of users that cannot be used is refused with the reason", async () => {
  const incomplete =
    "users[0]: must have a name, a password and perhaps a list of groups, all of them texts, and nothing else";
  const noUsers = "users: must be a list with at least one user";
  const cases = {
    "users: []": noUsers,
    "{}": noUsers,
    "users: 3": noUsers,
    "users: [{name: a, groups: []}]": incomplete,
    "users: [{name: a, password: 1, groups: []}]": incomplete,
    "users: [{name: a, password: b, groups: c}]": incomplete,
    "users: [{name: a, password: b, group: [c]}]": incomplete,
    "users: [3]": incomplete,
    "users: []\nuser: {}": "user: is not a member of this document, only users is",
    "a text": "document: is not an object",
  };
  for (const [source, message] of Object.entries(cases)) {
    writeFileSync(file, source);
    await assert.rejects(readUsers(file), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.equal(error.message, `${file}: ${message}`);
      return true;
    });
  }
});

test("a file of users that is not YAML, or not there, is refused without a piece of it", async () => {
  writeFileSync(file, "users: [{name: a, password: sesame");
  await assert.rejects(readUsers(file), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, /: document: is not valid YAML: /);
    assert.doesNotMatch(error.message, /sesame/);
    return true;
  });
  await assert.rejects(readUsers(join(folder, "none.yaml")), ConfigurationError);
});
