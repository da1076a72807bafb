import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmail } from "./email.js";

test("addresses of mail headers are told from other texts", () => {
  const addresses = [
    ...["a@b", "a@b.c", "a.b+c@d.e", '"a b"@c', '"a\\"(b"@c', "é@ü", " a@b\t", "a @ b", "<a@b>", "A <a@b.c>"],
    ...['"A, B" <a@b>', '"" <a@b>', "A.B < a@b >", "a@[1.2.3.4]", "a@b (c)", "a@b(c)(d (e) \\) f) ", "A <a@b> (c)"],
  ];
  for (const text of addresses) {
    assert.equal(isEmail(text), true, text);
  }
  const others = [
    ...["", "a", "@", "a@", "@b", "a@b@c", ".a@b", "a..b@c", "a@b.", "a b@c", '""@a', '"a@b', '"a\0"@b', '"a\n"@b'],
    ...[
      "a@b\n",
      "\na@b",
      "a@b, c@d",
      "A <a@b",
      "A <a@b> b",
      "A (b) <a@b>",
      "a@b (c",
      "a@b c)",
      "a@b (c) d",
      "a@[b",
      "(a@b)",
    ],
  ];
  for (const text of others) {
    assert.equal(isEmail(text), false, text);
  }
  assert.equal(isEmail(`${"(".repeat(5_000)}a@b`), false);
  // This would not end if the words of a name could be divided in every way.
  assert.equal(isEmail(`${"a".repeat(5_000)}\u0001 <a@b>`), false);
});
