import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cidr, type IpAddress, ipText, parseCidr, parseIp } from "@gatehouse/apiserver/options";
import { type HostRange, holdsAddress, holdsHost, hostRange, isAllocatable, isWithin } from "./host-range.js";

function range(text: string): HostRange {
  return hostRange(parseCidr(text) as Cidr);
}

function address(text: string): IpAddress {
  return parseIp(text) as IpAddress;
}

test("an IPv4 range has neither the address of its network nor the broadcast address", () => {
  const { family, first, last } = range("10.0.0.0/28");
  assert.deepEqual([ipText({ family, value: first }), ipText({ family, value: last })], ["10.0.0.1", "10.0.0.14"]);
});

test("an IPv6 range has all addresses but that of its network", () => {
  const { family, first, last } = range("fd00::/112");
  assert.deepEqual([ipText({ family, value: first }), ipText({ family, value: last })], ["fd00::1", "fd00::ffff"]);
});

test("a range of one or two IPv4 addresses has none for Services", () => {
  for (const text of ["10.0.0.4/32", "10.0.0.4/31"]) {
    const { first, last } = range(text);
    assert.ok(last < first, text);
    assert.equal(holdsHost(range(text), address("10.0.0.4")), false);
  }
});

test("a sixteenth of a range is reserved, at least 16 addresses and at most 256", () => {
  const reserved = ["10.0.0.0/28", "10.0.0.0/27", "10.0.0.0/22", "10.0.0.0/16", "fd00::/64"].map(
    (text) => range(text).reserved,
  );
  assert.deepEqual(reserved, [0n, 16n, 64n, 256n, 256n]);
});

test("an address lies in a network of its own family alone", () => {
  assert.equal(holdsAddress(range("10.0.0.0/28"), address("10.0.0.0")), true);
  assert.equal(holdsAddress(range("10.0.0.0/28"), address("10.0.0.16")), false);
  assert.equal(holdsAddress(range("::/64"), address("0.0.0.1")), false);
  assert.equal(holdsHost(range("::/64"), address("0.0.0.1")), false);
});

test("a range is within itself and larger ones", () => {
  assert.equal(isWithin(range("10.0.0.0/28"), range("10.0.0.0/28")), true);
  assert.equal(isWithin(range("10.0.0.16/28"), range("10.0.0.0/24")), true);
  assert.equal(isWithin(range("10.0.0.0/24"), range("10.0.0.0/28")), false);
  assert.equal(isWithin(range("10.0.1.0/28"), range("10.0.0.0/24")), false);
  assert.equal(isWithin(range("::/96"), range("0.0.0.0/8")), false);
});

test("addresses are allocated from IPv6 ranges of a prefix of 64 bits or more", () => {
  assert.deepEqual(
    ["fd00::/63", "fd00::/64", "10.0.0.0/8"].map((text) => isAllocatable(range(text))),
    [false, true, true],
  );
});
