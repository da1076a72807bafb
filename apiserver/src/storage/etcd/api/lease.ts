import type { Methods } from "@gatehouse/component-base/grpc";
import type { ResponseHeader } from "./kv.js";

/** A request for a lease. */
export interface LeaseGrantRequest {
  readonly ttlSeconds: number;
  /** The identifier that the lease shall have; 0n lets the server choose. */
  readonly id: bigint;
}

/** The answer to a LeaseGrantRequest. */
export interface LeaseGrantResponse {
  readonly header: ResponseHeader | null;
  readonly id: bigint;
  /** The time to live that was granted, which may be longer than the one asked for. */
  readonly ttlSeconds: number;
  readonly error: string;
}

/** A request to end a lease, which deletes its keys. */
export interface LeaseRevokeRequest {
  readonly id: bigint;
}

/** The answer to a LeaseRevokeRequest. */
export interface LeaseRevokeResponse {
  readonly header: ResponseHeader | null;
}

/** A request to start the time of a lease anew. */
export interface LeaseKeepAliveRequest {
  readonly id: bigint;
}

/** The answer to a LeaseKeepAliveRequest. */
export interface LeaseKeepAliveResponse {
  readonly header: ResponseHeader | null;
  readonly id: bigint;
  /** 0 when there is no such lease (any more). */
  readonly ttlSeconds: number;
}

/** A request for the rest of the time of a lease. */
export interface LeaseTimeToLiveRequest {
  readonly id: bigint;
  /** Asks for the keys that are attached, too. */
  readonly keys: boolean;
}

/** The answer to a LeaseTimeToLiveRequest. */
export interface LeaseTimeToLiveResponse {
  readonly header: ResponseHeader | null;
  readonly id: bigint;
  /** -1 when there is no such lease (any more). */
  readonly ttlSeconds: number;
  readonly grantedTtlSeconds: number;
  readonly keys: readonly Buffer[];
}

/** A request for all leases. */
export type LeaseLeasesRequest = Readonly<Record<never, never>>;

/** A lease in a list. */
export interface LeaseStatus {
  readonly id: bigint;
}

/** The answer to a LeaseLeasesRequest. */
export interface LeaseLeasesResponse {
  readonly header: ResponseHeader | null;
  readonly leases: readonly LeaseStatus[];
}

/** The service of leases. */
export type LeaseService = Methods<{
  LeaseGrant: [LeaseGrantRequest, LeaseGrantResponse];
  LeaseRevoke: [LeaseRevokeRequest, LeaseRevokeResponse];
  LeaseKeepAlive: [LeaseKeepAliveRequest, LeaseKeepAliveResponse];
  LeaseTimeToLive: [LeaseTimeToLiveRequest, LeaseTimeToLiveResponse];
  LeaseLeases: [LeaseLeasesRequest, LeaseLeasesResponse];
}>;

/** The messages of the Lease service in the protobuf language. Identifiers are signed in etcd, the same on the wire. */
export const leaseProto = `
message LeaseGrantRequest { int64 ttlSeconds = 1; uint64 id = 2; }
message LeaseGrantResponse { ResponseHeader header = 1; uint64 id = 2; int64 ttlSeconds = 3; string error = 4; }
message LeaseRevokeRequest { uint64 id = 1; }
message LeaseRevokeResponse { ResponseHeader header = 1; }
message LeaseKeepAliveRequest { uint64 id = 1; }
message LeaseKeepAliveResponse { ResponseHeader header = 1; uint64 id = 2; int64 ttlSeconds = 3; }
message LeaseTimeToLiveRequest { uint64 id = 1; bool keys = 2; }
message LeaseTimeToLiveResponse {
  ResponseHeader header = 1; uint64 id = 2; int64 ttlSeconds = 3; int64 grantedTtlSeconds = 4; repeated bytes keys = 5;
}
message LeaseLeasesRequest {}
message LeaseStatus { uint64 id = 1; }
message LeaseLeasesResponse { ResponseHeader header = 1; repeated LeaseStatus leases = 2; }
service Lease {
  rpc LeaseGrant(LeaseGrantRequest) returns (LeaseGrantResponse);
  rpc LeaseRevoke(LeaseRevokeRequest) returns (LeaseRevokeResponse);
  rpc LeaseKeepAlive(stream LeaseKeepAliveRequest) returns (stream LeaseKeepAliveResponse);
  rpc LeaseTimeToLive(LeaseTimeToLiveRequest) returns (LeaseTimeToLiveResponse);
  rpc LeaseLeases(LeaseLeasesRequest) returns (LeaseLeasesResponse);
}
`;
