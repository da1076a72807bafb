import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Extension, Name } from "@peculiar/asn1-x509";
import { SignRequestError } from "../errors.js";
import { alternativeNamesExtension, writeAlternativeNames } from "./alternative-names.js";
import { type Asn1, loadAsn1 } from "./asn1.js";
import type { CertificateRequest } from "./certificate-request.js";
import { derTags, writeElement } from "./der.js";
import type { NameAttribute } from "./distinguished-name.js";
import type { CertificateAndKey } from "./issue-certificate.js";
import { exactBytes, extension, parsedCertificate, writeCertificate } from "./write-certificate.js";

/** The authority that signs a request, and what it puts into the certificate besides what was asked for. */
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

/**
 * Signs a request: subject, key and alternative names are written anew from what was read of it, and nothing else of the
 * request goes into the certificate, as in v1.29. Rejects with SignRequestError when the authority has ended.
 */
export async function signRequest(request: CertificateRequest, options: SignRequestOptions): Promise<string> {
  const { issuer, notBefore } = options;
  const asn1 = await loadAsn1();
  const authority = new X509Certificate(issuer.certificatePem);
  const authorityEnds = new Date(authority.validTo);
  if (notBefore >= authorityEnds) {
    throw new SignRequestError(`the signer has expired: NotAfter=${authorityEnds.toISOString()}`);
  }
  const { tbsCertificate } = parsedCertificate(asn1, issuer.certificatePem);
  const subject = subjectOf(asn1, request);
  return await writeCertificate(
    {
      issuer: tbsCertificate.subject,
      subject,
      publicKey: request.publicKey,
      notBefore,
      notAfter: new Date(Math.min(options.notAfter.getTime(), authorityEnds.getTime())),
      extensions: extensionsOf(asn1, { request, subject }, options, tbsCertificate.extensions ?? []),
    },
    createPrivateKey(issuer.keyPem),
  );
}

/**
 * Country, province, locality, street, postal code, organization and organizational unit: each a set of all its values.
 * They are the attributes, in the order, that Go's names have; v1.29 leaves out all others.
 */
const groupedTypes = ["2.5.4.6", "2.5.4.8", "2.5.4.7", "2.5.4.9", "2.5.4.17", "2.5.4.10", "2.5.4.11"];
/** Common name and serial number: of each the last value counts. */
const singleTypes = ["2.5.4.3", "2.5.4.5"];

function subjectOf(asn1: Asn1, { subject }: CertificateRequest): Name {
  const valuesOf = (wanted: string) => subject.filter(({ type }) => type === wanted);
  const grouped = groupedTypes.map(valuesOf);
  const single = singleTypes.map((type) =>
    valuesOf(type)
      .slice(-1)
      .filter(({ value }) => value !== ""),
  );
  const sets = [...grouped, ...single].filter((values) => values.length > 0);
  return new asn1.x509.Name(sets.map((values) => relativeName(asn1, values)));
}

/** Makes a set of attributes of one type, in the order of DER: by the bytes of their values. */
function relativeName({ x509 }: Asn1, attributes: readonly NameAttribute[]) {
  const elements = attributes.map(({ type, value }) => {
    const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
    const tag = isPrintable ? derTags.printableString : derTags.utf8String;
    const text = isPrintable ? { printableString: value } : { utf8String: value };
    const element = new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue(text) });
    return { element, bytes: writeElement(tag, Buffer.from(value)) };
  });
  // The elements around the values differ in their lengths only, which are in the order of those of the values.
  elements.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return new x509.RelativeDistinguishedName(elements.map(({ element }) => element));
}

function extensionsOf(
  asn1: Asn1,
  { request, subject }: { readonly request: CertificateRequest; readonly subject: Name },
  { keyUsage, extendedKeyUsages }: SignRequestOptions,
  ofAuthority: readonly Extension[],
): readonly Extension[] {
  const { OctetString, x509 } = asn1;
  const names = writeAlternativeNames(request);
  const keyIdentifier = authorityKeyIdentifier(asn1, ofAuthority);
  return [
    ...(keyUsage === 0 ? [] : [extension(asn1, x509.id_ce_keyUsage, new x509.KeyUsage(keyUsage), true)]),
    ...(extendedKeyUsages.length === 0
      ? []
      : [extension(asn1, x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([...extendedKeyUsages]))]),
    extension(asn1, x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
    ...(keyIdentifier === undefined
      ? []
      : [extension(asn1, x509.id_ce_authorityKeyIdentifier, new x509.AuthorityKeyIdentifier({ keyIdentifier }))]),
    ...(names === undefined
      ? []
      : [
          new x509.Extension({
            extnID: alternativeNamesExtension,
            // RFC 5280, section 4.2.1.6: the only names there are must be understood.
            critical: subject.length === 0,
            extnValue: new OctetString(exactBytes(names)),
          }),
        ]),
  ];
}

/** The identifier that the authority states of its own key: verifiers compare the two. */
function authorityKeyIdentifier({ AsnConvert, x509 }: Asn1, ofAuthority: readonly Extension[]) {
  const stated = ofAuthority.find(({ extnID }) => extnID === x509.id_ce_subjectKeyIdentifier);
  return stated === undefined ? undefined : AsnConvert.parse(stated.extnValue.buffer, x509.SubjectKeyIdentifier);
}
