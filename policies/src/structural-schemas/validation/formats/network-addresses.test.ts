import assert from "node:assert/strict";
import { isIPv6 } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { isIpv6 } from "./network-addresses.js";

const group = fc.constantFrom(
  "0",
  "1",
  "a",
  "ffff",
  "FFFF",
  "12345",
  "g",
  "",
  "1.2.3.4",
  "01.2.3.4",
  "256.1.1.1",
  "1.2.3",
);
const separator = fc.constantFrom(":", ":", ":", ":", "::", ".", "%");

const texts = fc
  .tuple(group, fc.array(fc.tuple(separator, group), { maxLength: 9 }))
  .map(([first, rest]) => first + rest.map(([mark, text]) => mark + text).join(""));

test("a text is an IPv6 address where Node.js takes it for one, unless it has a zone", () => {
  let addresses = 0;
  fc.assert(
    fc.property(fc.oneof(texts, fc.ipV6()), (text) => {
      const expected = isIPv6(text) && !text.includes("%");
      addresses += expected ? 1 : 0;
      assert.equal(isIpv6(text), expected, text);
    }),
    { numRuns: 5000 },
  );
  assert.ok(addresses > 500, `${addresses} addresses`);
});
