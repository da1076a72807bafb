import assert from "node:assert/strict";
import { test } from "node:test";
import { addressRange, networkAddress, portRange } from "./number-range.js";

const networks = [
  ["10.96.0.0/12", { text: "10.96.0.0/12", first: 0x0a600001, size: 1048574, reserved: 256 }],
  ["10.96.7.9/16", { text: "10.96.0.0/16", first: 0x0a600001, size: 65534, reserved: 256 }],
  ["10.0.0.0/24", { text: "10.0.0.0/24", first: 0x0a000001, size: 254, reserved: 16 }],
  ["10.0.0.0/21", { text: "10.0.0.0/21", first: 0x0a000001, size: 2046, reserved: 128 }],
  ["10.0.0.0/28", { text: "10.0.0.0/28", first: 0x0a000001, size: 14, reserved: 0 }],
  ["192.168.255.252/30", { text: "192.168.255.252/30", first: 0xc0a8fffd, size: 2, reserved: 0 }],
] as const;
for (const [text, range] of networks) {
  test(`the addresses of ${text}`, () => {
    assert.deepEqual(addressRange(text), range);
  });
}

for (const text of [
  "",
  "10.0.0.0",
  "10.0.0.0/8",
  "10.0.0.0/31",
  "10.0.0.256/24",
  "fd00::/108",
  "10.0.0.0/24,fd00::/108",
]) {
  test(`${JSON.stringify(text)} is no range of addresses`, () => {
    assert.equal(addressRange(text), undefined);
  });
}

test("the address of the network is none of its range", () => {
  const range = addressRange("10.96.0.0/12");
  assert.equal(range && networkAddress(range), "10.96.0.0");
});

const ports = [
  ["30000-32767", { text: "30000-32767", first: 30000, size: 2768, reserved: 86 }],
  ["30000+100", { text: "30000-30100", first: 30000, size: 101, reserved: 16 }],
  ["30000", { text: "30000-30000", first: 30000, size: 1, reserved: 0 }],
  ["1-65535", { text: "1-65535", first: 1, size: 65535, reserved: 128 }],
] as const;
for (const [text, range] of ports) {
  test(`the ports of ${text}`, () => {
    assert.deepEqual(portRange(text), range);
  });
}

for (const text of ["", "0-10", "5-4", "1-65536", "a-b", "1--2", "65535+1"]) {
  test(`${JSON.stringify(text)} is no range of ports`, () => {
    assert.equal(portRange(text), undefined);
  });
}
