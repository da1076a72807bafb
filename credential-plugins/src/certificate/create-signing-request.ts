/** A request for a certificate (PKCS #10) and the new key that it was made with, both as PEM. */
export interface SigningRequest {
  readonly requestPem: string;
  readonly keyPem: string;
}

// P-256: every server takes it, and a key is made in under a millisecond.
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Makes a key, and the request for a client certificate of the user in the groups. */
export async function createSigningRequest(user: string, groups: readonly string[]): Promise<SigningRequest> {
  // The library's container looks for this polyfill at load, so the order matters.
  await import("reflect-metadata");
  const { Name, PemConverter, Pkcs10CertificateRequestGenerator } = await import("@peculiar/x509");
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const attributes: [string, string][] = [...groups.map((group): [string, string] => ["O", group]), ["CN", user]];
  const request = await Pkcs10CertificateRequestGenerator.create({
    // With a stated type of string: a plain one would be parsed, and quotation marks would change it.
    name: new Name(attributes.map(([type, utf8String]) => ({ [type]: [{ utf8String }] }))).toJSON(),
    keys,
    signingAlgorithm: algorithm,
  });
  const key = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { requestPem: request.toString("pem"), keyPem: PemConverter.encode(key, "PRIVATE KEY") };
}
