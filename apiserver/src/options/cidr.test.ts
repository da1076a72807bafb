import assert from "node:assert/strict";
import { test } from "node:test";
import { isStrictlyInside, parseCidr } from "./cidr.js";

test("a range may be written with the IPv6 form of an IPv4 address, and be wider than all of those", () => {
  const ipv4 = { family: "IPv4", network: 0x0a000000n, bits: 8 };
  assert.deepEqual(parseCidr("10.1.2.3/8"), ipv4);
  assert.deepEqual(parseCidr("::ffff:10.1.2.3/104"), ipv4);
  assert.deepEqual(parseCidr("::ffff:10.1.2.3/88"), { family: "IPv6", network: 0xff00n << 32n, bits: 88 });
  assert.deepEqual(parseCidr("::ffff:10.1.2.3/8"), { family: "IPv6", network: 0n, bits: 8 });
  assert.equal(isStrictlyInside(ipv4 as never, parseCidr("::ffff:10.0.0.0/8") as never), false);
});

test("what is no range is none", () => {
  for (const text of [
    "10.0.0.0",
    "10.0.0.0/33",
    "::/129",
    "::ffff:10.0.0.0/129",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/+8",
    "/8",
    "a/8",
  ]) {
    assert.equal(parseCidr(text), undefined, text);
  }
});
