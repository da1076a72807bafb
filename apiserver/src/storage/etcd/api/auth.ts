import type { Methods } from "@gatehouse/component-base/grpc";
import type { ResponseHeader } from "./kv.js";

/** A request whether authentication is on. */
export type AuthStatusRequest = Readonly<Record<never, never>>;

/** The answer to an AuthStatusRequest. */
export interface AuthStatusResponse {
  readonly header: ResponseHeader | null;
  readonly enabled: boolean;
  readonly authRevision: bigint;
}

/** A request for a token. */
export interface AuthenticateRequest {
  readonly name: string;
  readonly password: string;
}

/** The answer to an AuthenticateRequest. */
export interface AuthenticateResponse {
  readonly header: ResponseHeader | null;
  /** The value of the `token` metadata of later calls. */
  readonly token: string;
}

/** The service of authentication, as far as it is used here. */
export type AuthService = Methods<{
  AuthStatus: [AuthStatusRequest, AuthStatusResponse];
  Authenticate: [AuthenticateRequest, AuthenticateResponse];
}>;

/** The messages of the Auth service in the protobuf language. */
export const authProto = `
message AuthStatusRequest {}
message AuthStatusResponse { ResponseHeader header = 1; bool enabled = 2; uint64 authRevision = 3; }
message AuthenticateRequest { string name = 1; string password = 2; }
message AuthenticateResponse { ResponseHeader header = 1; string token = 2; }
service Auth {
  rpc AuthStatus(AuthStatusRequest) returns (AuthStatusResponse);
  rpc Authenticate(AuthenticateRequest) returns (AuthenticateResponse);
}
`;
