import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import { test } from "node:test";
import { addressRange } from "@gatehouse/apiserver/options";
import { advertisedAddress, isExternal } from "./advertised-address.js";

const serviceRanges = [addressRange({ family: "IPv4", network: 0x0a600000n, bits: 12 })] as const;

function card(family: "IPv4" | "IPv6", address: string, internal = false): NetworkInterfaceInfo {
  const common = { address, internal, mac: "", netmask: "", cidr: null };
  return family === "IPv4" ? { ...common, family } : { ...common, family, scopeid: 0 };
}

const interfaces = () => ({
  lo: [card("IPv4", "127.0.0.1", true), card("IPv6", "::1", true)],
  eth0: [card("IPv6", "fe80::1"), card("IPv6", "2001:db8::7"), card("IPv4", "192.0.2.7")],
});

const rows = [
  { name: "the configured address comes first", bind: "192.0.2.1", advertise: "198.51.100.1", want: "198.51.100.1" },
  { name: "a particular bind address is it", bind: "192.0.2.1", want: "192.0.2.1" },
  { name: "listening everywhere, it is that of a network interface, IPv4 first", bind: "0.0.0.0", want: "192.0.2.7" },
  { name: "listening everywhere on IPv6 is the same", bind: "::", want: "192.0.2.7" },
  { name: "listening on loopback only, it is that of a network interface, too", bind: "127.0.0.1", want: "192.0.2.7" },
];

for (const { name, bind, advertise, want } of rows) {
  test(`advertised address: ${name}`, () => {
    assert.equal(
      advertisedAddress({ serviceRanges, bindAddress: bind, advertiseAddress: advertise }, interfaces),
      want,
    );
  });
}

test("advertised address: for an IPv6 Service it is an IPv6 one", () => {
  const ranges = [addressRange({ family: "IPv6", network: 0xfd00n << 112n, bits: 108 })] as const;
  const config = { serviceRanges: ranges, bindAddress: "0.0.0.0", advertiseAddress: undefined };
  assert.equal(advertisedAddress(config, interfaces), "2001:db8::7");
});

test("advertised address: without a network it is the loopback address", () => {
  assert.equal(
    advertisedAddress({ serviceRanges, bindAddress: "0.0.0.0", advertiseAddress: undefined }, () => ({})),
    "127.0.0.1",
  );
});

test("advertised address: where it cannot be found it must be given", () => {
  const forbidden = () => {
    throw new Error("uv_interface_addresses returned Unknown system error 97");
  };
  assert.throws(
    () => advertisedAddress({ serviceRanges, bindAddress: "0.0.0.0", advertiseAddress: undefined }, forbidden),
    {
      name: "ConfigurationError",
      message:
        "flags: --advertise-address: must be given, since the network interfaces cannot be listed (uv_interface_addresses returned Unknown system error 97)",
    },
  );
});

test("loopback, unspecified and link-local addresses are not external", () => {
  for (const address of [
    "127.8.0.1",
    "0.0.0.0",
    "::",
    "::1",
    "169.254.1.1",
    "224.0.0.5",
    "fe80::1",
    "ff02::1",
    "host",
    "",
  ]) {
    assert.equal(isExternal(address), false, address);
  }
  for (const address of ["10.0.0.1", "224.0.1.5", "2001:db8::1", "fd00::1"]) {
    assert.equal(isExternal(address), true, address);
  }
});
