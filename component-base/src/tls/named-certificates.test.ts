import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { SecureContext } from "node:tls";
import { issueCertificate } from "../pki/index.js";
import { openNamedCertificates } from "./named-certificates.js";

const folder = await mkdtemp(join(tmpdir(), "named-certificates-"));
after(() => rm(folder, { recursive: true }));

const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });

async function certificate(file: string, dnsNames: readonly string[], names: readonly string[] = []) {
  const [certFile, keyFile] = [join(folder, `${file}.crt`), join(folder, `${file}.key`)];
  const subject = { kind: "server" as const, commonName: dnsNames[0] ?? "", dnsNames, ipAddresses: [] };
  const issued = await issueCertificate({ subject, issuer, ...validity });
  await writeFile(keyFile, issued.keyPem);
  await writeFile(certFile, issued.certificatePem);
  return { certFile, keyFile, names };
}

describe("Certificates for names", () => {
  it("are found by their own names, by wildcards of one label, and given names before those in certificates", async () => {
    const plain = await certificate("plain", ["a.example", "*.b.example"]);
    const named = await certificate("named", ["c.example"], ["A.example", "*.d.example"]);
    const later = await certificate("later", ["a.example", "c.example"]);
    const options = {};
    using opened = await openNamedCertificates({ certificates: [plain, named, later], secureOptions: () => options });
    const contexts = new Map<SecureContext | undefined, string>([[undefined, "none"]]);
    const of = (name: string): string => {
      const context = opened.contextFor(name);
      const known = contexts.get(context) ?? `context ${contexts.size}`;
      contexts.set(context, known);
      return known;
    };
    const [own, given] = [of("x.b.example"), of("a.example")];
    assert.notEqual(own, given);
    assert.equal(of("A.EXAMPLE"), given);
    assert.equal(of("y.d.example"), given);
    assert.equal(of("y.b.example"), own);
    assert.equal(of("x.y.b.example"), "none");
    assert.equal(of("b.example"), "none");
    assert.equal(of(""), "none");
    assert.notEqual(of("c.example"), given);
  });

  it("get a new context when their files or the other options change", async () => {
    const files = await certificate("changing", ["a.example"]);
    let options = { minVersion: "TLSv1.2" as const };
    using opened = await openNamedCertificates({
      certificates: [files],
      secureOptions: () => options,
      pollIntervalMs: 5,
    });
    const first = opened.contextFor("a.example");
    assert.equal(opened.contextFor("a.example"), first);
    options = { minVersion: "TLSv1.2" };
    const second = opened.contextFor("a.example");
    assert.notEqual(second, first);
    await certificate("changing", ["new.example"]);
    while (opened.contextFor("new.example") === undefined) {
      await sleep(5);
    }
    assert.equal(opened.contextFor("a.example"), undefined);
  });

  it("must be usable at the start", async () => {
    const one = await certificate("one", ["a.example"]);
    const two = await certificate("two", ["a.example"]);
    const mixed = { ...one, keyFile: two.keyFile };
    await assert.rejects(openNamedCertificates({ certificates: [mixed], secureOptions: () => ({}) }));
  });
});
