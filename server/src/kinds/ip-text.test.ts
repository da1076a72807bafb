import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { parseIpAddress, parseIpPrefix } from "./ip-text.js";

const canonical: readonly (readonly [text: string, canonical: string])[] = [
  ["1.2.3.4", "1.2.3.4"],
  ["::", "::"],
  ["::1", "::1"],
  ["1::", "1::"],
  ["2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["1:2:3:4:5:6:0:8", "1:2:3:4:5:6:0:8"],
  ["::ffff:010a:1", "::ffff:1.10.0.1"],
  ["::1.2.3.4", "::102:304"],
  ["fe80::1%eth0", "fe80::1%eth0"],
];

for (const [text, expected] of canonical) {
  test(`the canonical form of ${text} is ${expected}`, () => {
    assert.deepEqual(parseIpAddress(text), { family: expected.includes(":") ? "IPv6" : "IPv4", text: expected });
  });
}

const problems: readonly (readonly [text: string, problem: string])[] = [
  ["", "unable to parse IP"],
  ["%eth0", "missing IPv6 address"],
  ["10.9.9.9-y", 'unexpected character (at "-y")'],
  ["1.2.3", "IPv4 address too short"],
  ["1.2.3.4.5", "IPv4 address too long"],
  ["1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'],
  ["1.2.3.", 'IPv4 field must have at least one digit (at ".")'],
  ["1.2.3.256", "IPv4 field has value >255"],
  ["01.2.3.4", "IPv4 field has octet with leading zero"],
  ["::1%", "zone must be a non-empty string"],
  ["1:2", "address string too short"],
  ["1::2::3", 'multiple :: in address (at ":3")'],
  ["1:2:3:4:5:6:7:8::", "the :: must expand to at least one field of zeros"],
  ["1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'],
  ["12345::", 'each group must have 4 or less digits (at "12345::")'],
  ["::g", 'each colon-separated field must have at least one digit (at "g")'],
  ["1:", 'colon must be followed by more characters (at ":")'],
  ["::1g", 'unexpected character, want colon (at "g")'],
  ["1:2.3.4.5", 'embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")'],
  ["::1:2:3:4:5:6:7:1.2.3.4", 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'],
];

for (const [text, problem] of problems) {
  test(`${JSON.stringify(text)} is no address: ${problem}`, () => {
    assert.deepEqual(parseIpAddress(text), { problem: `ParseAddr(${JSON.stringify(text)}): ${problem}` });
  });
}

test("prefixes have as many bits as their address, and no zone", () => {
  assert.deepEqual(parseIpPrefix("10.0.0.0/8"), { family: "IPv4", text: "10.0.0.0/8" });
  assert.deepEqual(parseIpPrefix("FD00::/128"), { family: "IPv6", text: "fd00::/128" });
  const problem = (text: string, what: string) =>
    assert.deepEqual(parseIpPrefix(text), { problem: `netip.ParsePrefix(${JSON.stringify(text)}): ${what}` });
  problem("10.0.0.0", "no '/'");
  problem("10.0.0.0/33", "prefix length out of range");
  problem("10.0.0.0/", 'bad bits after slash: ""');
  problem("x/1", 'ParseAddr("x"): unable to parse IP');
  problem("fe80::1%e/64", "IPv6 zones cannot be present in a prefix");
});

test("every address is read, and its canonical form is its own", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const parsed = parseIpAddress(text);
      assert.ok("text" in parsed);
      assert.notEqual(isIP(parsed.text), 0);
      assert.deepEqual(parseIpAddress(parsed.text), parsed);
    }),
  );
});
