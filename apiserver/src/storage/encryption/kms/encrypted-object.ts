import { compileProto, type MessageCodec } from "@gatehouse/component-base/grpc";
import { goAggregate } from "@gatehouse/envelopes/go";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

/** A value at rest by KMS v2: the encrypted value, and how its key is found. */
export interface EncryptedObject extends KeySource {
  readonly encryptedData: Buffer;
}

/** The source of the keys of values: a key or a seed, encrypted by a key management service. */
export interface KeySource {
  readonly keyID: string;
  readonly encryptedDEKSource: Buffer;
  readonly annotations: Readonly<Record<string, Buffer>>;
  readonly encryptedDEKSourceType: number;
}

/** Types of key sources. */
export const keySourceTypes = { aesGcmKey: 0, hkdfSha256ExtendedNonceAesGcmSeed: 1 } as const;

const maxAnnotationBytes = 32 * 1024;
const maxKeyIdBytes = 1024;
const maxSourceBytes = 1024;

const text = `
syntax = "proto3";
package v2;
enum EncryptedDEKSourceType { AES_GCM_KEY = 0; HKDF_SHA256_XNONCE_AES_GCM_SEED = 1; }
message EncryptedObject {
  bytes encryptedData = 1; string keyID = 2; bytes encryptedDEKSource = 3; map<string, bytes> annotations = 4;
  EncryptedDEKSourceType encryptedDEKSourceType = 5;
}
`;

/** Loads the codec of values at rest. */
export async function loadEncryptedObjectCodec(): Promise<MessageCodec<EncryptedObject>> {
  return (await compileProto(text)).codec<EncryptedObject>("v2.EncryptedObject");
}

/** Throws when a value at rest, or the answer of a service that would be stored, breaks the limits of the protocol. */
export function validateEncryptedObject(object: EncryptedObject): void {
  if (object.encryptedData.length === 0) {
    throw new Error("encrypted data is empty");
  }
  validateKeySource(object);
}

/** Throws when the source of keys breaks the limits of the protocol. */
export function validateKeySource({ keyID, encryptedDEKSource, annotations, encryptedDEKSourceType }: KeySource): void {
  if (encryptedDEKSourceType !== 0 && encryptedDEKSourceType !== 1) {
    throw new Error(`unknown encryptedDEKSourceType: ${encryptedDEKSourceType}`);
  }
  const sourceBytes = encryptedDEKSource.length;
  if (sourceBytes === 0) {
    throw new Error("failed to validate encrypted DEK source: encrypted DEK source is empty");
  }
  if (sourceBytes > maxSourceBytes) {
    throw new Error(
      `failed to validate encrypted DEK source: encrypted DEK source is ${sourceBytes} bytes, which exceeds the max size of ${maxSourceBytes}`,
    );
  }
  const keyIdProblem = validateKeyId(keyID);
  if (keyIdProblem !== undefined) {
    throw new Error(`failed to validate key id: ${keyIdProblem.message}`);
  }
  const problems = annotationProblems(annotations);
  if (problems.length > 0) {
    throw new Error(`failed to validate annotations: ${goAggregate(problems)}`);
  }
}

/** Returns the problem of a key ID, with its name in metrics; undefined for none. */
export function validateKeyId(
  keyId: string,
): { readonly code: "empty" | "too_long"; readonly message: string } | undefined {
  if (keyId === "") {
    return { code: "empty", message: "keyID is empty" };
  }
  const bytes = Buffer.byteLength(keyId);
  return bytes > maxKeyIdBytes
    ? { code: "too_long", message: `keyID is ${bytes} bytes, which exceeds the max size of ${maxKeyIdBytes}` }
    : undefined;
}

function annotationProblems(annotations: KeySource["annotations"]): readonly string[] {
  const problems: string[] = [];
  let totalBytes = 0;
  for (const [name, value] of Object.entries(annotations)) {
    totalBytes += Buffer.byteLength(name) + value.length;
    problems.push(
      ...nameProblems(name).map((problem) => `annotations: Invalid value: ${JSON.stringify(name)}: ${problem}`),
    );
  }
  if (totalBytes > maxAnnotationBytes) {
    problems.push(`total size of annotations is ${totalBytes}, which exceeds the max size of ${maxAnnotationBytes}`);
  }
  return problems;
}

/** Returns the problems of a name that has to be a fully qualified domain name. */
function nameProblems(name: string): readonly string[] {
  const subdomain = name.endsWith(".") ? name.slice(0, -1) : name;
  const problems = validateSubdomainName(subdomain);
  if (problems.length > 0) {
    return problems;
  }
  return subdomain.includes(".") ? [] : ["should be a domain with at least two segments separated by dots"];
}
