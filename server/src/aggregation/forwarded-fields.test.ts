import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StatusError } from "@gatehouse/envelopes/status";
import { identityFieldsOf } from "./forwarded-fields.js";

describe("the headers that name a user to another server", () => {
  it("hold the user, each group and each value of an extra", () => {
    const user = { username: "jane", groups: ["a", "b c"], extra: { "example.com/x": ["1", ""] } };
    assert.deepEqual(identityFieldsOf(user), [
      ...["X-Remote-User", "jane", "X-Remote-Group", "a", "X-Remote-Group", "b c"],
      ...["X-Remote-Extra-example.com%2Fx", "1", "X-Remote-Extra-example.com%2Fx", ""],
    ]);
  });

  const blank = [
    { username: " admin", groups: [] },
    { username: "admin\t", groups: [] },
    { username: "jane", groups: ["developers", "system:masters "] },
    { username: "jane", groups: [], extra: { scopes: ["\tall"] } },
  ];
  for (const user of blank) {
    it(`are none for ${JSON.stringify(user)}, whom receivers would take for another`, () => {
      for (let round = 0; round < 2; round++) {
        assert.throws(
          () => identityFieldsOf(user),
          (error) => {
            assert.ok(error instanceof StatusError);
            const { code, reason, message } = error;
            const text = "a user, group or extra with blanks around it cannot be named to another server";
            assert.deepEqual([code, reason, message], [400, "BadRequest", text]);
            return true;
          },
        );
      }
    });
  }
});
