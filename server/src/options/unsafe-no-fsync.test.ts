import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import { serverFlags } from "../flags.js";
import { resolveServerConfig, type ServerConfig } from "./server-config.js";

function resolve(...flags: string[]): ServerConfig {
  const parsed = parseFlags(serverFlags, [
    "--tls-cert-file=tls.crt",
    "--tls-private-key-file=tls.key",
    "--service-account-issuer=https://issuer.example",
    "--service-account-key-file=sa.pub",
    "--service-account-signing-key-file=sa.key",
    ...flags,
  ]);
  assert.ok(parsed.outcome === "run", JSON.stringify(parsed));
  return resolveServerConfig(parsed.values);
}

describe("--unsafe-no-fsync", () => {
  it("is off by default, without a warning", () => {
    const { unsafeNoFsync, warnings } = resolve();
    assert.equal(unsafeNoFsync, false);
    assert.deepEqual(warnings, []);
  });

  it("is accepted for the embedded store, with one warning", () => {
    const { unsafeNoFsync, warnings } = resolve("--unsafe-no-fsync");
    assert.equal(unsafeNoFsync, true);
    assert.deepEqual(warnings, [
      "--unsafe-no-fsync: no write is flushed to disk; the data may be damaged when the machine stops",
    ]);
  });

  it("is refused with the etcd store, where it has no effect", () => {
    assert.throws(
      () => resolve("--unsafe-no-fsync", "--etcd-servers=http://127.0.0.1:1"),
      /--unsafe-no-fsync: is for the embedded store/,
    );
  });
});
