import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseListenUrl } from "./etcd-face-options.js";

describe("a URL of --listen-etcd-urls", () => {
  for (const [text, isSecure, host, port] of [
    ["http://127.0.0.1:2379", false, "127.0.0.1", 2379],
    ["http://[::1]:0", false, "::1", 0],
    ["http://localhost:80", false, "localhost", 80],
    ["https://10.0.0.1:2379/", true, "10.0.0.1", 2379],
    ["https://0.0.0.0:443", true, "0.0.0.0", 443],
  ] as const) {
    it(`is read: ${text}`, () => assert.deepEqual(parseListenUrl(text), { isSecure, host, port }));
  }

  for (const [text, reason] of [
    ["2379", /is not a URL/],
    ["unix://127.0.0.1:1", /must begin with http:\/\/ or https:\/\//],
    ["http://127.0.0.1:2379/v3", /nothing but a host and a port/],
    ["http://user:word@127.0.0.1:2379", /nothing but a host and a port/],
    ["https://etcd.example:2379", /an IP address or localhost/],
    ["http://127.0.0.1", /must have a port/],
    ["http://0.0.0.0:2379", /plain http is for loopback addresses only/],
    ["http://[::]:2379", /plain http is for loopback addresses only/],
  ] as const) {
    it(`is refused: ${text}`, () => assert.match(String(parseListenUrl(text)), reason));
  }
});
