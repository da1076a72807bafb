export type { AlternativeNames } from "./alternative-names.js";
export { type CertificateRequest, readCertificateRequest } from "./certificate-request.js";
export { type CertificateSubjectNames, certificateSubject } from "./certificate-subject.js";
export type { NameAttribute } from "./distinguished-name.js";
export { type EnsureCertificateOptions, type EnsuredCertificate, ensureCertificate } from "./ensure-certificate.js";
export { ensurePrivateKey } from "./ensure-private-key.js";
export type { PrivateKeyType } from "./generate-private-key.js";
export {
  type CertificateAndKey,
  type CertificateSubject,
  type IssueOptions,
  issueCertificate,
} from "./issue-certificate.js";
export { type PemBlock, pemBlocks } from "./pem-blocks.js";
export { type PrivateKeyForm, privateKeyOf } from "./private-key-of.js";
export { type SignRequestOptions, signRequest } from "./sign-request.js";
