import { compileProto, type Methods } from "@gatehouse/component-base/grpc";

/** The answer to a status request of KMS v2. */
export interface StatusResponse {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

/** A key that KMS v2 has encrypted. */
export interface EncryptResponse {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: Readonly<Record<string, Buffer>>;
}

/** A request to KMS v2 to decrypt a key. */
export interface DecryptRequest extends EncryptResponse {
  readonly uid: string;
}

/** The service of KMS v2. */
export type KmsV2Methods = Methods<{
  Status: [object, StatusResponse];
  Encrypt: [{ readonly plaintext: Buffer; readonly uid: string }, EncryptResponse];
  Decrypt: [DecryptRequest, { readonly plaintext: Buffer }];
}>;

/** The service of KMS v1. */
export type KmsV1Methods = Methods<{
  Version: [{ readonly version: string }, VersionResponse];
  Encrypt: [{ readonly version: string; readonly plain: Buffer }, { readonly cipher: Buffer }];
  Decrypt: [{ readonly version: string; readonly cipher: Buffer }, { readonly plain: Buffer }];
}>;

/** The answer to a version request of KMS v1. */
export interface VersionResponse {
  readonly version: string;
  readonly runtimeName: string;
  readonly runtimeVersion: string;
}

/** The version of the protocol that KMS v1 names in its messages. */
export const kmsV1Version = "v1beta1";

const v2Text = `
syntax = "proto3";
package v2;
message StatusRequest {}
message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
message EncryptRequest { bytes plaintext = 1; string uid = 2; }
message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }
message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
message DecryptResponse { bytes plaintext = 1; }
service KeyManagementService {
  rpc Status(StatusRequest) returns (StatusResponse);
  rpc Encrypt(EncryptRequest) returns (EncryptResponse);
  rpc Decrypt(DecryptRequest) returns (DecryptResponse);
}
`;

const v1Text = `
syntax = "proto3";
package v1beta1;
message VersionRequest { string version = 1; }
message VersionResponse { string version = 1; string runtime_name = 2; string runtime_version = 3; }
message EncryptRequest { string version = 1; bytes plain = 2; }
message EncryptResponse { bytes cipher = 1; }
message DecryptRequest { string version = 1; bytes cipher = 2; }
message DecryptResponse { bytes plain = 1; }
service KeyManagementService {
  rpc Version(VersionRequest) returns (VersionResponse);
  rpc Encrypt(EncryptRequest) returns (EncryptResponse);
  rpc Decrypt(DecryptRequest) returns (DecryptResponse);
}
`;

/** Loads the service of KMS v2. */
export async function loadKmsV2(): Promise<KmsV2Methods> {
  return (await compileProto(v2Text)).service<KmsV2Methods>("v2.KeyManagementService");
}

/** Loads the service of KMS v1. */
export async function loadKmsV1(): Promise<KmsV1Methods> {
  return (await compileProto(v1Text)).service<KmsV1Methods>("v1beta1.KeyManagementService");
}
