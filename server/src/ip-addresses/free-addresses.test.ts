import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cidr, ipText, parseCidr } from "@gatehouse/apiserver/options";
import { addressesToTry, type FreeAddressOptions } from "./free-addresses.js";
import { type HostRange, hostRange } from "./host-range.js";

function range(text: string): HostRange {
  return hostRange(parseCidr(text) as Cidr);
}

/** Options with which all addresses are free. */
function fromHere(random: () => number): FreeAddressOptions {
  return { random, nextFree: (first, last) => (first <= last ? first : undefined) };
}

test("each address of a range is tried once, those that are reserved last", () => {
  const tried = [
    ...addressesToTry(
      range("10.0.0.0/27"),
      fromHere(() => 0.5),
    ),
  ].map((value) => Number(value & 255n));
  assert.deepEqual(
    [...tried].sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  assert.ok(tried.slice(0, 14).every((number) => number > 16));
  assert.ok(tried.slice(14).every((number) => number <= 16));
});

test("the first one is picked at random and the others follow it", () => {
  const tried = [
    ...addressesToTry(
      range("10.0.0.0/29"),
      fromHere(() => 0.999),
    ),
  ].map((value) => Number(value & 255n));
  const [first = 0] = tried;
  assert.deepEqual(
    tried,
    [...Array(6).keys()].map((index) => ((first - 1 + index) % 6) + 1),
  );
});

test("any part of a range that is larger than a random number can be picked", () => {
  const large = range("fd00::/64");
  const pick = (random: () => number): bigint => addressesToTry(large, fromHere(random)).next().value as bigint;
  const picked = Array.from({ length: 64 }, () => pick(Math.random));
  assert.ok(picked.every((value) => value >= large.first + large.reserved && value <= large.last));
  // Of 64 bits, any of the upper 32 would be the same in all of them if they were not drawn.
  assert.ok(new Set(picked.map((value) => (value - large.network) >> 32n)).size > 32);
  assert.equal(ipText({ family: "IPv6", value: pick(() => 0) }), "fd00::101");
});

test("a range without addresses has none to try", () => {
  assert.deepEqual([...addressesToTry(range("10.0.0.0/32"), fromHere(Math.random))], []);
});

test("only those that are free are tried, and what is found is not looked for from the start again", () => {
  const asked: string[] = [];
  const free = [7n, 21n, 25n].map((host) => range("10.0.0.0/27").network + host);
  const nextFree = (first: bigint, last: bigint): bigint | undefined => {
    asked.push(`${first & 255n} ${last & 255n}`);
    return free.find((address) => address >= first && address <= last);
  };
  const tried = [...addressesToTry(range("10.0.0.0/27"), { random: () => 0.5, nextFree })];
  assert.deepEqual(
    tried.map((address) => Number(address & 255n)).sort((a, b) => a - b),
    [7, 21, 25],
  );
  assert.equal(asked.length, 7);
});
