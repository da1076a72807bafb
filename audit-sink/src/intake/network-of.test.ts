import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "./network-of.js";

test("the network of a caller is its IPv4 address, or the first half of its IPv6 address", () => {
  for (const [address, network] of [
    ["10.0.0.1", "10.0.0.1"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::0001:2", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ] as const) {
    assert.equal(networkOf(address), network, address);
  }
});
