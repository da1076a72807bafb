import assert from "node:assert/strict";
import { test } from "node:test";
import { type AddressRange, addressRange, addressText, networkAddress, numberOfAddress } from "./address-range.js";
import { type Cidr, parseCidr } from "./cidr.js";

function rangeOf(text: string): AddressRange {
  return addressRange(parseCidr(text) as Cidr);
}

const networks = [
  ["10.96.0.0/12", { text: "10.96.0.0/12", size: 1048574, reserved: 256 }],
  ["10.96.7.9/16", { text: "10.96.0.0/16", size: 65534, reserved: 256 }],
  ["10.0.0.0/24", { text: "10.0.0.0/24", size: 254, reserved: 16 }],
  ["10.0.0.0/21", { text: "10.0.0.0/21", size: 2046, reserved: 128 }],
  ["10.0.0.0/28", { text: "10.0.0.0/28", size: 14, reserved: 0 }],
  ["192.168.255.252/30", { text: "192.168.255.252/30", size: 2, reserved: 0 }],
  ["fd00:0::/108", { text: "fd00::/108", size: 65535, reserved: 256 }],
  ["fd00::/120", { text: "fd00::/120", size: 255, reserved: 16 }],
  ["fd00::/128", { text: "fd00::/128", size: 0, reserved: 0 }],
] as const;
for (const [text, expected] of networks) {
  test(`the addresses of ${text}`, () => {
    const { size, reserved, text: shown } = rangeOf(text);
    assert.deepEqual({ text: shown, size, reserved }, expected);
  });
}

test("the address of the network is none of its range", () => {
  const range = rangeOf("10.96.0.0/12");
  assert.equal(networkAddress(range), "10.96.0.0");
  assert.equal(numberOfAddress(range, "10.96.0.0"), undefined);
});

test("addresses have numbers in both families, and only inside of the range", () => {
  const v4 = rangeOf("10.0.0.0/24");
  const v6 = rangeOf("fd00::/108");
  assert.equal(numberOfAddress(v4, "10.0.0.254"), 254);
  assert.equal(numberOfAddress(v4, "::ffff:a00:1"), 1);
  assert.equal(numberOfAddress(v6, "fd00::ffff"), 65535);
  assert.equal(addressText(v6, 65535), "fd00::ffff");
  for (const [range, text] of [
    [v4, "10.0.0.255"],
    [v4, "10.0.1.1"],
    [v4, "fd00::1"],
    [v6, "fd00::1:0"],
    [v6, "10.0.0.1"],
    [v6, "ff::1"],
    [v6, "None"],
  ] as const) {
    assert.equal(numberOfAddress(range, text), undefined, text);
  }
});
