import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { type ClientCertificateOptions, clientCertificateAuthenticator } from "./client-certificate.js";

const from = Date.UTC(2030, 0, 1);
const until = Date.UTC(2030, 0, 2);

const validity = { notBefore: new Date(from), notAfter: new Date(until) };
const authority = (commonName: string) => issueCertificate({ subject: { kind: "authority", commonName }, ...validity });
const [first, second] = await Promise.all([authority("first"), authority("second")]);
const jane = await issueCertificate({
  subject: { kind: "client", user: "jane", groups: ["a", "b"] },
  issuer: first,
  ...validity,
});

/** A connection as a resumed session shows it: with the verdict of the first handshake, whatever the time is now. */
function resumed(authorized: boolean): TLSSocket {
  return {
    authorized,
    authorizationError: authorized ? null : "SELF_SIGNED_CERT_IN_CHAIN",
    getPeerX509Certificate: () => new X509Certificate(jane.certificatePem),
  } as unknown as TLSSocket;
}

const trustingNobody: ClientCertificateOptions = {
  authorities: () => "",
  now: () => from,
  otherAuthorities: false,
  shown: () => {},
};

describe("Client certificates", () => {
  test("the time is looked at with each request, from the first one on", () => {
    let now = until + 1000;
    const remaining: number[] = [];
    const authenticator = clientCertificateAuthenticator({
      ...trustingNobody,
      now: () => now,
      shown: (seconds) => remaining.push(seconds),
    });
    const socket = resumed(true);
    const ask = () => authenticator.authenticate({ socket, headers: {}, headerValues: () => [] }, []);
    assert.deepEqual(ask(), { outcome: "rejected", reasons: ["certificate has expired"] });
    now = from - 1000;
    assert.deepEqual(ask(), { outcome: "rejected", reasons: ["certificate is not yet valid"] });
    now = from;
    const user = { username: "jane", groups: ["a", "b"] };
    assert.deepEqual(ask(), { outcome: "authenticated", user });
    assert.deepEqual(remaining, [-1, (until - from) / 1000 + 1, (until - from) / 1000]);
  });

  test("an open connection is believed only as long as its authority is trusted", async () => {
    const socket = resumed(true);
    let trusted = first.certificatePem;
    const authenticator = clientCertificateAuthenticator({ ...trustingNobody, authorities: () => trusted });
    const outcome = async () =>
      (await authenticator.authenticate({ socket, headers: {}, headerValues: () => [] }, [])).outcome;
    assert.equal(await outcome(), "authenticated");
    trusted = first.certificatePem + second.certificatePem;
    assert.equal(await outcome(), "authenticated");
    trusted = second.certificatePem;
    assert.deepEqual(await authenticator.authenticate({ socket, headers: {}, headerValues: () => [] }, []), {
      outcome: "rejected",
      reasons: ["x509: certificate signed by unknown authority"],
    });
    trusted = first.certificatePem;
    assert.equal(await outcome(), "authenticated");
  });

  test("one that is not trusted is refused with v1.29's reason", async () => {
    const authenticator = clientCertificateAuthenticator(trustingNobody);
    const request = { socket: resumed(false), headers: {}, headerValues: () => [] };
    const refused = { outcome: "rejected", reasons: ["x509: certificate signed by unknown authority"] };
    assert.deepEqual(await authenticator.authenticate(request, []), refused);
    assert.deepEqual(authenticator.authenticate(request, []), refused, "once found out, it is known");
  });
});
