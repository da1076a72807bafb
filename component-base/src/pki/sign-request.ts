import { createPrivateKey, type webcrypto } from "node:crypto";
import type { Extension, Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from "@peculiar/x509";
import { type CertificateAndKey, newSerialNumber } from "./issue-certificate.js";

/** What an authority puts into a certificate that somebody has asked for. */
export interface SignRequestOptions {
  readonly issuer: CertificateAndKey;
  readonly notBefore: Date;
  /** Cut to the end of the authority itself. */
  readonly notAfter: Date;
  /** Bits of the key usage (RFC 5280, section 4.2.1.3). 0: none are stated. */
  readonly keyUsage: number;
  /** Object identifiers. */
  readonly extendedKeyUsages: readonly string[];
}

/** What a request for a certificate (PKCS#10) asks for. */
export interface RequestedNames {
  /** Of several the last one, as for Go; empty where there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** A request that cannot be signed, and why. */
export class SignRequestError extends Error {
  override readonly name = "SignRequestError";
}

/** Reads the names in a request in PEM text. Rejects with SignRequestError for what is none. */
export async function requestedNames(requestPem: string): Promise<RequestedNames> {
  const request = await readRequest(requestPem);
  const names = alternativeNamesOf(request)?.names.items ?? [];
  const ofType = (type: string): readonly string[] =>
    names.filter((name) => name.type === type).map(({ value }) => value);
  return {
    commonName: request.subjectName.getField("CN").at(-1) ?? "",
    organizations: request.subjectName.getField("O"),
    dnsNames: ofType("dns"),
    ipAddresses: ofType("ip"),
    emailAddresses: ofType("email"),
    uris: ofType("url"),
  };
}

/**
 * Signs a request (PKCS#10, PEM): its subject, key and alternative names go into the certificate, and no other extension.
 * Rejects with SignRequestError when the request is not signed by its own key, or the authority has ended.
 */
export async function signRequest(requestPem: string, options: SignRequestOptions): Promise<string> {
  const { issuer, keyUsage, extendedKeyUsages, notBefore } = options;
  const x509 = await loadX509();
  const request = await readRequest(requestPem);
  if (!(await request.verify())) {
    throw new SignRequestError("unable to verify certificate request signature");
  }
  const authority = new x509.X509Certificate(issuer.certificatePem);
  if (notBefore >= authority.notAfter) {
    throw new SignRequestError(`the signer has expired: NotAfter=${authority.notAfter.toISOString()}`);
  }
  const alternativeNames = alternativeNamesOf(request);
  const extensions: Extension[] = [
    ...(keyUsage === 0 ? [] : [new x509.KeyUsagesExtension(keyUsage, true)]),
    ...(extendedKeyUsages.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension([...extendedKeyUsages])]),
    new x509.BasicConstraintsExtension(false, undefined, true),
    await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ...(alternativeNames === null ? [] : [alternativeNames]),
  ];
  const { key, algorithm } = await importAuthorityKey(issuer.keyPem);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber().toString("hex"),
    subject: request.subjectName,
    issuer: authority.subjectName,
    notBefore,
    notAfter: new Date(Math.min(options.notAfter.getTime(), authority.notAfter.getTime())),
    publicKey: request.publicKey,
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions,
  });
  return `${certificate.toString("pem").trim()}\n`;
}

/** The X.509 library, and what must be there before it: its container looks for this polyfill when it is loaded. */
async function loadX509(): Promise<typeof import("@peculiar/x509")> {
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

function alternativeNamesOf(request: Pkcs10CertificateRequest): SubjectAlternativeNameExtension | null {
  return request.getExtension("2.5.29.17") as SubjectAlternativeNameExtension | null;
}

async function readRequest(requestPem: string): Promise<Pkcs10CertificateRequest> {
  const { Pkcs10CertificateRequest } = await loadX509();
  try {
    return new Pkcs10CertificateRequest(requestPem);
  } catch (error) {
    throw new SignRequestError("unable to parse certificate request", { cause: error });
  }
}

type SigningAlgorithm = webcrypto.EcdsaParams & webcrypto.EcKeyImportParams;

const curves: ReadonlyMap<string, { readonly namedCurve: string; readonly hash: string }> = new Map([
  ["prime256v1", { namedCurve: "P-256", hash: "SHA-256" }],
  ["secp384r1", { namedCurve: "P-384", hash: "SHA-384" }],
  ["secp521r1", { namedCurve: "P-521", hash: "SHA-512" }],
]);

/** An RSA or EC key in any of the forms that PEM has for them. */
async function importAuthorityKey(
  keyPem: string,
): Promise<{ readonly key: webcrypto.CryptoKey; readonly algorithm: SigningAlgorithm }> {
  const privateKey = createPrivateKey(keyPem);
  const curve = curves.get(privateKey.asymmetricKeyDetails?.namedCurve ?? "");
  const algorithm = curve === undefined ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } : { name: "ECDSA", ...curve };
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm as SigningAlgorithm, false, ["sign"]);
  return { key, algorithm: algorithm as SigningAlgorithm };
}
