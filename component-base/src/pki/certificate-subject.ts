import type { X509Certificate } from "node:crypto";
import { DerError, derTags, readElement, readElements } from "./der.js";
import { commonNameOf, organizationsOf, readName } from "./distinguished-name.js";

/** The user and the groups that a certificate names. */
export interface CertificateSubjectNames {
  /** The last common name of the subject, as in Go; empty without one. */
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const versionTag = 0xa0;

/**
 * Reads the subject of a certificate with the reader of requests, which refuses strings that OpenSSL reads and Go does
 * not. Undefined for a subject that cannot be read; nobody should be believed by such a certificate.
 */
export function certificateSubject({ raw }: X509Certificate): CertificateSubjectNames | undefined {
  try {
    const name = readName(subjectIn(raw));
    return { commonName: commonNameOf(name), organizations: organizationsOf(name) };
  } catch (error) {
    if (error instanceof DerError) {
      return undefined;
    }
    throw error;
  }
}

function subjectIn(certificate: Buffer): Buffer {
  const { sequence, integer } = derTags;
  const [outer] = readElements(certificate, [sequence], "certificate");
  const [inner] = readElements(outer.content, [sequence], "tbsCertificate");
  const first = readElement(inner.content);
  const rest = first.element.tag === versionTag ? first.rest : inner.content;
  // Serial number, algorithm, issuer, validity, subject.
  return readElements(rest, [integer, sequence, sequence, sequence, sequence], "tbsCertificate")[4].content;
}
