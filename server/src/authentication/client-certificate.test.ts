import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { clientCertificateAuthenticator } from "./client-certificate.js";

const from = Date.UTC(2030, 0, 1);
const until = Date.UTC(2030, 0, 2);

/** A connection as a resumed session shows it: with the verdict of the first handshake, whatever the time is now. */
function resumed(authorized: boolean): TLSSocket {
  return {
    authorized,
    authorizationError: authorized ? null : "SELF_SIGNED_CERT_IN_CHAIN",
    getPeerCertificate: () => ({
      subject: { CN: "jane", O: ["a", "b"] },
      valid_from: new Date(from).toUTCString(),
      valid_to: new Date(until).toUTCString(),
    }),
  } as unknown as TLSSocket;
}

describe("Client certificates", () => {
  test("the time is looked at with each request, from the first one on", () => {
    let now = until + 1000;
    const authenticator = clientCertificateAuthenticator(undefined, () => now);
    const socket = resumed(true);
    const ask = () => authenticator.authenticate({ socket, headers: {} });
    assert.deepEqual(ask(), { outcome: "rejected", reason: "certificate has expired" });
    now = from - 1000;
    assert.deepEqual(ask(), { outcome: "rejected", reason: "certificate is not yet valid" });
    now = from;
    const user = { username: "jane", groups: ["a", "b", "system:authenticated"] };
    assert.deepEqual(ask(), { outcome: "authenticated", user });
  });

  test("one that is not trusted is refused with OpenSSL's reason", () => {
    const authenticator = clientCertificateAuthenticator(undefined, () => from);
    assert.deepEqual(authenticator.authenticate({ socket: resumed(false), headers: {} }), {
      outcome: "rejected",
      reason: "x509: SELF_SIGNED_CERT_IN_CHAIN",
    });
  });
});
