import "reflect-metadata";
import { KeyObject, type webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** A key pair and a certificate for it. */
export interface Issued {
  readonly pem: string;
  readonly keyPem: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly certificate: x509.X509Certificate;
}

interface IssueRequest {
  readonly name: string;
  readonly keyType?: "ecdsa" | "rsa" | "rsa-sha1";
  /** Left out: signs itself. */
  readonly issuer?: Issued;
  readonly keys?: webcrypto.CryptoKeyPair;
  readonly ca?: boolean;
  readonly pathLength?: number;
  readonly usages?: readonly string[];
  readonly certSign?: boolean;
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
  readonly dnsNames?: readonly string[];
  readonly more?: readonly x509.Extension[];
}

const algorithms = {
  ecdsa: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
  "rsa-sha1": {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-1",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  },
};
const dayMs = 86_400_000;
let serial = 1;

async function issue(request: IssueRequest): Promise<Issued> {
  const { name, keyType = "ecdsa", issuer, ca = false, pathLength, usages = [], more = [] } = request;
  const { certSign = ca, from = -1, until = 1, dnsNames = ["localhost"] } = request;
  const algorithm = algorithms[keyType];
  const keys =
    request.keys ?? ((await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as webcrypto.CryptoKeyPair);
  const signingKey = (issuer?.keys ?? keys).privateKey;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: (0x1000 + serial++).toString(16),
    subject: `O=knative.dev, CN=${name}`,
    issuer: issuer?.certificate.subject ?? `O=knative.dev, CN=${name}`,
    notBefore: new Date(Date.now() + from * dayMs),
    notAfter: new Date(Date.now() + until * dayMs),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm:
      signingKey.algorithm.name === "ECDSA" ? algorithms.ecdsa : { ...algorithms.rsa, ...signingKey.algorithm },
    extensions: [
      new x509.BasicConstraintsExtension(ca, pathLength, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | (certSign ? x509.KeyUsageFlags.keyCertSign : 0),
        true,
      ),
      ...(usages.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension([...usages])]),
      ...(ca ? [] : [new x509.SubjectAlternativeNameExtension(dnsNames.map((value) => ({ type: "dns", value })))]),
      ...more,
    ],
  });
  const keyPem = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  return { pem: `${certificate.toString("pem").trim()}\n`, keyPem, keys, certificate };
}

/** A server or client, and the authorities with which it is looked at. */
export interface ChainCase {
  readonly title: string;
  /** The leaf certificate and those sent with it. */
  readonly shownPem: string;
  readonly keyPem: string;
  readonly authoritiesPem: string;
  /** The text of v1.29 after `x509: `; `undefined`: it is trusted. Times are written as `TIME`. */
  readonly problem?: string;
}

const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
const unknownAuthority = "certificate signed by unknown authority";
const because = (reason: string, authority: string): string =>
  `${unknownAuthority} (possibly because of ${JSON.stringify(reason)} while trying to verify candidate authority certificate ${JSON.stringify(authority)})`;
const ecdsaFailure = "x509: ECDSA verification failure";
const maySignNothing = "x509: invalid signature: parent certificate cannot sign this kind of certificate";
const critical = (): x509.Extension => new x509.Extension("1.2.3.4", true, new Uint8Array([5, 0]));

/** A DER element of fewer than 128 bytes. */
function wrapped(tag: number, content: ArrayBuffer): ArrayBuffer {
  return new Uint8Array([tag, content.byteLength, ...new Uint8Array(content)]).buffer;
}

/** Chains of certificates on which OpenSSL and Go disagree, and such that both refuse, shown by servers or by clients. */
export async function chainCases(holder: "server" | "client"): Promise<readonly ChainCase[]> {
  const [use, otherUse] = holder === "server" ? [serverAuth, clientAuth] : [clientAuth, serverAuth];
  const cases: ChainCase[] = [];
  const add = (
    title: string,
    leaf: Issued,
    authorities: readonly Issued[],
    problem?: string,
    besides: readonly Issued[] = [],
  ): void => {
    cases.push({
      title,
      shownPem: [leaf, ...besides].map(({ pem }) => pem).join(""),
      keyPem: leaf.keyPem,
      authoritiesPem: authorities.map(({ pem }) => pem).join(""),
      ...(problem === undefined ? {} : { problem }),
    });
  };
  const name = "webhook.knative.svc";
  const authority = (request: Partial<IssueRequest> = {}) => issue({ name, ca: true, ...request });
  const end = (issuer: Issued, request: Partial<IssueRequest> = {}) =>
    issue({ name, issuer, usages: [serverAuth, clientAuth], ...request });
  const knativeUsages = { usages: [serverAuth, clientAuth] };
  const ca = await authority(knativeUsages);
  const leaf = await end(ca);
  const rsaCa = await authority({ ...knativeUsages, keyType: "rsa" });

  add(`ECDSA, ${holder} and authority of one name`, leaf, [ca]);
  add(`RSA, ${holder} and authority of one name`, await end(rsaCa, { keyType: "rsa" }), [rsaCa]);
  add(`an ECDSA ${holder} of an RSA authority of its name`, await end(rsaCa), [rsaCa]);
  add("the authority is shown as well", leaf, [ca], undefined, [ca]);
  const anew = await authority(knativeUsages);
  add("two authorities of one name, of which the second has signed", leaf, [anew, ca]);
  const plain = await end(ca, { name: "plain" });
  add(`two authorities of one name, and a ${holder} of another`, plain, [anew, ca]);
  add("the key of another authority of the same name", leaf, [anew], because(ecdsaFailure, name));
  const rsaAnew = await authority({ keyType: "rsa" });
  const rsaLeaf = await end(rsaCa, { keyType: "rsa" });
  add("an RSA key of another authority", rsaLeaf, [rsaAnew], because("crypto/rsa: verification error", name));
  add(
    "an RSA authority and an ECDSA signature",
    leaf,
    [rsaAnew],
    because(
      "x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey",
      name,
    ),
  );
  const selfSigned = await issue({ name, usages: [use] });
  add(`a ${holder} that signs itself, and is in the bundle`, selfSigned, [selfSigned]);
  add(`a ${holder} that signs itself, and is not`, selfSigned, [await authority({ name: "other" })], unknownAuthority);
  add(`a ${holder} that signs itself, with the name of an authority`, selfSigned, [ca], because(ecdsaFailure, name));
  add("no authority of the name", leaf, [await authority({ name: "other" })], unknownAuthority);
  add("a namesake that is no authority", leaf, [await issue({ name, keys: ca.keys })], because(maySignNothing, name));
  add(
    "an authority whose key may not sign certificates",
    leaf,
    [await authority({ keys: ca.keys, certSign: false })],
    because(maySignNothing, name),
  );
  const gone = await authority({ keys: ca.keys, from: -3, until: -2 });
  const expired = "certificate has expired or is not yet valid: current time TIME is after TIME";
  add("an authority that has expired", leaf, [gone], expired);
  add("an authority that has expired and one that has not", leaf, [gone, ca]);
  add(`a ${holder} that has expired`, await end(ca, { from: -3, until: -2 }), [ca], expired);
  const wrongName = "certificate is valid for other.svc, not localhost";
  if (holder === "server") {
    add("another name", await end(ca, { dnsNames: ["other.svc"] }), [ca], wrongName);
  }
  const wrongUse = "certificate specifies an incompatible key usage";
  add("a certificate for the other use", await end(ca, { usages: [otherUse] }), [ca], wrongUse);
  add("an authority for the other use", leaf, [await authority({ keys: ca.keys, usages: [otherUse] })], wrongUse);
  add(`a ${holder} without usages`, await end(ca, { usages: [] }), [ca]);
  add(`a ${holder} for any use`, await end(ca, { usages: ["2.5.29.37.0"] }), [ca]);
  const unhandled = "unhandled critical extension";
  add(
    `a critical extension of the ${holder} that nobody knows`,
    await end(ca, { more: [critical()] }),
    [ca],
    unhandled,
  );
  add(
    "a critical extension of the authority that nobody knows",
    leaf,
    [await authority({ keys: ca.keys, more: [critical()] })],
    unhandled,
  );
  const permitted = new x509.GeneralName("dns", "localhost").rawData;
  const constraints = new x509.Extension("2.5.29.30", false, wrapped(0x30, wrapped(0xa0, wrapped(0x30, permitted))));
  // v1.29 evaluates these, and trusts.
  add("an authority for some names only", leaf, [await authority({ keys: ca.keys, more: [constraints] })], unhandled);
  const between = await authority({ issuer: ca });
  const below = await end(between);
  add("all of one name, with an intermediate", below, [ca], undefined, [between]);
  add("an intermediate of the root's name", await end(between, { name: "plain" }), [ca], undefined, [between]);
  add("an intermediate that is not shown", below, [ca], because(ecdsaFailure, name));
  const noAuthority = await issue({ name, issuer: ca });
  const signature = because(ecdsaFailure, name);
  add("an intermediate that is no authority", await end(noAuthority), [ca], signature, [noAuthority]);
  const stranger = await authority();
  add("an intermediate that nobody has signed", await end(stranger), [ca], signature, [stranger]);
  const expiredBetween = await authority({ issuer: ca, from: -3, until: -2 });
  add("an intermediate that has expired", await end(expiredBetween), [ca], expired, [expiredBetween]);
  const shallow = await authority({ keys: ca.keys, pathLength: 0 });
  add("a path that is too long", below, [shallow], "too many intermediates for path length constraint", [between]);
  add("a path that is just long enough", leaf, [shallow]);
  const otherKeyId = new x509.AuthorityKeyIdentifierExtension("00112233445566778899aabbccddeeff00112233");
  const withId = await authority({
    keys: ca.keys,
    more: [await x509.SubjectKeyIdentifierExtension.create(ca.keys.publicKey)],
  });
  add("a key identifier of another key", await end(ca, { name: "plain", more: [otherKeyId] }), [withId]);
  const sha1 = await authority({ keyType: "rsa-sha1" });
  add(
    "a signature with SHA-1",
    await end(sha1),
    [sha1],
    because("x509: cannot verify signature: insecure algorithm SHA1-RSA", name),
  );
  return cases;
}
