import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect, createServer, type TLSSocket } from "node:tls";
import { loadAsn1 } from "./asn1.js";
import { ensureCertificate } from "./ensure-certificate.js";
import { ensurePrivateKey } from "./ensure-private-key.js";
import { type CertificateSubject, issueCertificate } from "./issue-certificate.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-pki-"));
after(() => rmSync(folder, { recursive: true }));

const authority: CertificateSubject = { kind: "authority", commonName: "gatehouse-ca" };
const server: CertificateSubject = {
  kind: "server",
  commonName: "kube-apiserver",
  dnsNames: ["localhost", "kubernetes.default.svc"],
  ipAddresses: ["127.0.0.1", "::1"],
};
const admin: CertificateSubject = {
  kind: "client",
  user: 'kubernetes-admin, the #1 + "only" é',
  groups: ["system:masters", "a=b"],
};
/** Names of the usages in the key usage extension, which Node does not tell. */
async function keyUsagesOf({ raw }: X509Certificate): Promise<readonly string[]> {
  const { AsnConvert, x509 } = await loadAsn1();
  const extensions = AsnConvert.parse(raw, x509.Certificate).tbsCertificate.extensions ?? [];
  const usage = extensions.find(({ extnID }) => extnID === x509.id_ce_keyUsage);
  return usage === undefined ? [] : AsnConvert.parse(usage.extnValue, x509.KeyUsage).toJSON();
}
const files = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });

test("a server and a client that were issued certificates trust each other over TLS", async () => {
  const ca = await ensureCertificate({ subject: authority, ...files("ca") });
  const serving = await ensureCertificate({ subject: server, issuer: ca, ...files("server") });
  const client = await ensureCertificate({ subject: admin, issuer: ca, ...files("admin") });
  const names: unknown[] = [];
  const listener = createServer(
    { cert: serving.certificatePem, key: serving.keyPem, ca: ca.certificatePem, requestCert: true },
    (socket) => {
      const { subject } = socket.getPeerCertificate();
      names.push(socket.authorized, subject.CN, subject.O);
      socket.end();
    },
  );
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : assert.fail();
  const socket = await new Promise<TLSSocket>((resolve, reject) => {
    const opened = connect(
      {
        port,
        host: "127.0.0.1",
        servername: "kubernetes.default.svc",
        ca: ca.certificatePem,
        cert: client.certificatePem,
        key: client.keyPem,
      },
      () => resolve(opened),
    );
    opened.on("error", reject);
  });
  assert.equal(socket.authorized, true);
  await new Promise((resolve) => socket.on("close", resolve).resume());
  listener.close();
  assert.deepEqual(names, [true, 'kubernetes-admin, the #1 + "only" é', ["system:masters", "a=b"]]);
});

test("certificates carry the constraints that strict verifiers ask for", () => {
  const ca = new X509Certificate(readFileSync(join(folder, "ca.crt")));
  const serving = new X509Certificate(readFileSync(join(folder, "server.crt")));
  assert.equal(ca.ca, true);
  assert.equal(serving.ca, false);
  assert.deepEqual(serving.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  assert.equal(
    serving.subjectAltName,
    "DNS:localhost, DNS:kubernetes.default.svc, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
  );
  assert.match(readFileSync(join(folder, "server.key"), "utf8"), /^-----BEGIN PRIVATE KEY-----\n/);
});

test("a key for people is RSA in PKCS#1, may encipher keys, and logs in like any other", async () => {
  const ca = await ensureCertificate({ subject: authority, ...files("ca") });
  const validity = { notBefore: new Date(), notAfter: new Date(Date.now() + 60_000) };
  const issued = await issueCertificate({ subject: admin, issuer: ca, keyType: "rsa", ...validity });
  assert.match(issued.keyPem, /^-----BEGIN RSA PRIVATE KEY-----\n/);
  const key = createPrivateKey(issued.keyPem);
  assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
  const certificate = new X509Certificate(issued.certificatePem);
  assert.equal(certificate.checkPrivateKey(key), true);
  assert.equal(certificate.verify(new X509Certificate(ca.certificatePem).publicKey), true);
  assert.deepEqual((await keyUsagesOf(certificate)).toSorted(), ["digitalSignature", "keyEncipherment"]);
  const ofAuthority = await keyUsagesOf(new X509Certificate(ca.certificatePem));
  assert.deepEqual(ofAuthority.toSorted(), ["crlSign", "digitalSignature", "keyCertSign"]);
  await assert.rejects(issueCertificate({ subject: authority, keyType: "rsa", ...validity }), /must have an EC key/);
});

test("a stored key of another type than the wanted one is replaced, and kept where none is wanted", async () => {
  const issuer = await ensureCertificate({ subject: authority, ...files("ca") });
  const person = { subject: admin, issuer, certFile: join(folder, "person.crt"), keyFile: join(folder, "person.key") };
  const made = await ensureCertificate(person);
  assert.deepEqual([made.issuedBecause, made.replaced], ["there is none", false]);
  const replaced = await ensureCertificate({ ...person, keyType: "rsa" });
  assert.deepEqual([replaced.issuedBecause, replaced.replaced], ["its key is not of type rsa", true]);
  assert.equal(readFileSync(person.keyFile, "utf8"), replaced.keyPem);
  assert.equal(statSync(person.keyFile).mode & 0o777, 0o600);
  for (const again of [await ensureCertificate({ ...person, keyType: "rsa" }), await ensureCertificate(person)]) {
    assert.deepEqual([again.keyPem, again.issuedBecause, again.replaced], [replaced.keyPem, undefined, false]);
  }
  rmSync(person.certFile);
  rmSync(person.keyFile);
});

test("names, addresses and times of every form go into a certificate as they are", async () => {
  const ca = await ensureCertificate({ subject: authority, ...files("ca") });
  const subject: CertificateSubject = {
    kind: "server",
    commonName: "é".repeat(30),
    dnsNames: Array.from({ length: 3000 }, (_, index) => `name-${index}.example.com`),
    ipAddresses: ["10.96.0.1", "::ffff:10.0.0.1", "2001:db8::5:0:0:1", "1:2:3:4:5:6:7:8", "::"],
  };
  const [notBefore, notAfter] = [new Date("2049-12-31T23:59:59Z"), new Date("2050-01-01T00:00:01Z")];
  const { certificatePem } = await issueCertificate({ subject, issuer: ca, notBefore, notAfter });
  const issued = new X509Certificate(certificatePem);
  assert.equal(issued.subject, `CN=${subject.commonName}`);
  assert.deepEqual([new Date(issued.validFrom), new Date(issued.validTo)], [notBefore, notAfter]);
  for (const name of subject.dnsNames) {
    assert.equal(issued.checkHost(name), name);
  }
  assert.deepEqual(
    issued.subjectAltName?.split(", ").slice(3000),
    ["10.96.0.1", "0:0:0:0:0:FFFF:A00:1", "2001:DB8:0:0:5:0:0:1", "1:2:3:4:5:6:7:8", "0:0:0:0:0:0:0:0"].map(
      (address) => `IP Address:${address}`,
    ),
  );
  assert.equal(issued.verify(new X509Certificate(ca.certificatePem).publicKey), true);
});

test("what cannot sign is no issuer", async () => {
  const validity = { notBefore: new Date(), notAfter: new Date(Date.now() + 1000) };
  const ca = await ensureCertificate({ subject: authority, ...files("ca") });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const issuer = { ...ca, keyPem: rsa.toString() };
  await assert.rejects(issueCertificate({ subject: admin, issuer, ...validity }), /the issuer must have an EC key/);
  await assert.rejects(issueCertificate({ subject: admin, ...validity }), /every other certificate needs an issuer/);
  await assert.rejects(issueCertificate({ subject: authority, issuer: ca, ...validity }), /an authority signs itself/);
});

test("key files are readable by their owner only, and no temporary file is left", () => {
  for (const name of ["ca", "server", "admin"]) {
    assert.equal(statSync(join(folder, `${name}.key`)).mode & 0o777, 0o600);
  }
  assert.deepEqual(readdirSync(folder).sort(), [
    "admin.crt",
    "admin.key",
    "ca.crt",
    "ca.key",
    "server.crt",
    "server.key",
  ]);
});

test("what is stored is used again until there is a reason against it", async () => {
  const ca = await ensureCertificate({ subject: authority, ...files("ca") });
  assert.equal(ca.issuedBecause, undefined);
  const again = (subject: CertificateSubject, name: string, now?: () => number, issuer = ca) =>
    ensureCertificate({ subject, issuer, ...files(name), ...(now === undefined ? {} : { now }) });
  assert.equal((await again(server, "server")).issuedBecause, undefined);
  assert.equal((await again(admin, "admin")).issuedBecause, undefined);

  const more: CertificateSubject = { ...server, dnsNames: [...server.dnsNames, "example.com"] };
  assert.equal((await again(more, "server")).issuedBecause, "it does not cover example.com");
  assert.equal((await again(server, "server")).issuedBecause, undefined, "a certificate may cover more than is asked");
  const moreAddresses: CertificateSubject = { ...server, ipAddresses: ["10.96.0.1"] };
  assert.equal((await again(moreAddresses, "server")).issuedBecause, "it does not cover 10.96.0.1");

  const inElevenMonths = () => Date.now() + 340 * 86_400_000;
  assert.equal((await again(admin, "admin", inElevenMonths)).issuedBecause, "it expires soon");
  const other: CertificateSubject = { ...admin, groups: ["system:masters"] };
  assert.equal((await again(other, "admin")).issuedBecause, "it is for another subject");

  const otherCa = await ensureCertificate({ subject: authority, ...files("other-ca") });
  assert.equal((await again(server, "server", undefined, otherCa)).issuedBecause, "another authority issued it");
});

test("a key that does not match, and a broken file, are replaced", async () => {
  const ca = await ensureCertificate({ subject: authority, ...files("ca") });
  const mixed = { certFile: join(folder, "server.crt"), keyFile: join(folder, "admin.key") };
  assert.equal(
    (await ensureCertificate({ subject: server, issuer: ca, ...mixed })).issuedBecause,
    "its key does not belong to it",
  );
  const broken = { certFile: join(folder, "ca.key"), keyFile: join(folder, "other-ca.key") };
  assert.equal(
    (await ensureCertificate({ subject: server, issuer: ca, ...broken })).issuedBecause,
    "it cannot be read",
  );
});

test("a folder that cannot be written is an error, and nothing is left behind", async (context) => {
  if (process.getuid?.() === 0) {
    context.skip("root may write everywhere");
    return;
  }
  chmodSync(folder, 0o500);
  await assert.rejects(ensureCertificate({ subject: authority, ...files("third-ca") }), { code: "EACCES" });
  chmodSync(folder, 0o700);
});

test("an EC key is made once, kept, and written as API servers of v1.29 read it", async () => {
  const file = join(folder, "accounts.key");
  await ensurePrivateKey(file, "ec");
  const made = readFileSync(file, "utf8");
  assert.match(made, /^-----BEGIN EC PRIVATE KEY-----\n/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await ensurePrivateKey(file, "ec");
  assert.equal(readFileSync(file, "utf8"), made);

  writeFileSync(file, createPrivateKey(made).export({ type: "pkcs8", format: "pem" }));
  await ensurePrivateKey(file, "ec");
  assert.equal(readFileSync(file, "utf8"), made);
  writeFileSync(file, "no key");
  await assert.rejects(ensurePrivateKey(file, "ec"));
});
