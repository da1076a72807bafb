import assert from "node:assert/strict";
import { test } from "node:test";
import { ipFamilyOf, ipv4Text, parseIPv4, parseIp } from "./ip-address.js";

test("IPv4 addresses are numbers and texts", () => {
  for (const text of ["0.0.0.0", "10.96.0.1", "255.255.255.255"]) {
    const address = parseIPv4(text);
    assert.equal(address === undefined ? undefined : ipv4Text(address), text);
  }
  assert.equal(parseIPv4("255.255.255.255"), 2 ** 32 - 1);
});

test("leading zeros and the IPv6 form of IPv4 addresses are let pass, as in v1.29", () => {
  assert.equal(parseIPv4("010.096.00.1"), parseIPv4("10.96.0.1"));
  for (const text of ["::ffff:10.96.0.1", "::ffff:010.096.0.1", "::0ffff:10.96.0.01", "0000000::FFFF:a60:1"]) {
    assert.equal(ipFamilyOf(text), "IPv4", text);
  }
  assert.deepEqual(parseIp("64:0ff9b::00001:010.0.0.01"), parseIp("64:ff9b::1:a00:1"));
  assert.equal(parseIp("::10000"), undefined);
});

test("the family of an address is told from its text", () => {
  assert.equal(ipFamilyOf("10.0.0.1"), "IPv4");
  assert.equal(ipFamilyOf("fd00::1"), "IPv6");
  for (const text of ["", "None", "10.0.0", "10.0.0.256", "10.0.0.1.2", "fe80::1%eth0", "x"]) {
    assert.equal(ipFamilyOf(text), undefined, text);
  }
});
