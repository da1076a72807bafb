import type { Methods } from "@gatehouse/component-base/grpc";
import type { ResponseHeader } from "./kv.js";

/** Values of `AlarmRequest.action`. */
export const alarmAction = { get: 0, activate: 1, deactivate: 2 } as const;

/** Values of `alarm`. */
export const alarmType = { none: 0, noSpace: 1, corrupt: 2 } as const;

/** A request for alarms, or to raise or clear one. */
export interface AlarmRequest {
  readonly action: number;
  readonly memberId: bigint;
  readonly alarm: number;
}

/** An alarm that is active. */
export interface AlarmMember {
  readonly memberId: bigint;
  readonly alarm: number;
}

/** The answer to an AlarmRequest. */
export interface AlarmResponse {
  readonly header: ResponseHeader | null;
  readonly alarms: readonly AlarmMember[];
}

/** A request for the state of a member. */
export type StatusRequest = Readonly<Record<never, never>>;

/** The state of a member. */
export interface StatusResponse {
  readonly header: ResponseHeader | null;
  readonly version: string;
  /** Bytes of the backend's file. */
  readonly dbSize: number;
  /** The leader as this member knows it; 0n when there is none. */
  readonly leader: bigint;
  readonly raftIndex: bigint;
  readonly raftTerm: bigint;
  readonly raftAppliedIndex: bigint;
  readonly errors: readonly string[];
  /** Bytes of the backend's file that hold data. */
  readonly dbSizeInUse: number;
  readonly isLearner: boolean;
}

/** A request to give back the backend's free pages. */
export type DefragmentRequest = Readonly<Record<never, never>>;

/** The answer to a DefragmentRequest. */
export interface DefragmentResponse {
  readonly header: ResponseHeader | null;
}

/** A request for the checksum of the backend. */
export type HashRequest = Readonly<Record<never, never>>;

/** The answer to a HashRequest. */
export interface HashResponse {
  readonly header: ResponseHeader | null;
  readonly hash: number;
}

/** A request for the checksum of keys and history at a revision; 0 for the newest. */
export interface HashKvRequest {
  readonly revision: number;
}

/** The answer to a HashKvRequest. */
export interface HashKvResponse {
  readonly header: ResponseHeader | null;
  readonly hash: number;
  readonly compactRevision: number;
  /** The revision up to which changes count; 0 from etcd before 3.6. */
  readonly hashRevision: number;
}

/** A request for the content of the backend's file. */
export type SnapshotRequest = Readonly<Record<never, never>>;

/** A piece of the backend's file; the last 32 bytes of all are the SHA-256 of those before. */
export interface SnapshotResponse {
  readonly header: ResponseHeader | null;
  readonly remainingBytes: bigint;
  readonly blob: Buffer;
}

/** A request to hand the leadership over to another member. */
export interface MoveLeaderRequest {
  readonly targetId: bigint;
}

/** The answer to a MoveLeaderRequest. */
export interface MoveLeaderResponse {
  readonly header: ResponseHeader | null;
}

/** The service of maintenance. */
export type MaintenanceService = Methods<{
  Alarm: [AlarmRequest, AlarmResponse];
  Status: [StatusRequest, StatusResponse];
  Defragment: [DefragmentRequest, DefragmentResponse];
  Hash: [HashRequest, HashResponse];
  HashKV: [HashKvRequest, HashKvResponse];
  Snapshot: [SnapshotRequest, SnapshotResponse];
  MoveLeader: [MoveLeaderRequest, MoveLeaderResponse];
}>;

/** The messages of the Maintenance service in the protobuf language. */
export const maintenanceProto = `
message AlarmRequest { int32 action = 1; uint64 memberId = 2; int32 alarm = 3; }
message AlarmMember { uint64 memberId = 1; int32 alarm = 2; }
message AlarmResponse { ResponseHeader header = 1; repeated AlarmMember alarms = 2; }
message StatusRequest {}
message StatusResponse {
  ResponseHeader header = 1; string version = 2; int64 dbSize = 3; uint64 leader = 4; uint64 raftIndex = 5;
  uint64 raftTerm = 6; uint64 raftAppliedIndex = 7; repeated string errors = 8; int64 dbSizeInUse = 9;
  bool isLearner = 10;
}
message DefragmentRequest {}
message DefragmentResponse { ResponseHeader header = 1; }
message HashRequest {}
message HashResponse { ResponseHeader header = 1; uint32 hash = 2; }
message HashKVRequest { int64 revision = 1; }
message HashKVResponse {
  ResponseHeader header = 1; uint32 hash = 2; int64 compactRevision = 3; int64 hashRevision = 4;
}
message SnapshotRequest {}
message SnapshotResponse { ResponseHeader header = 1; uint64 remainingBytes = 2; bytes blob = 3; }
message MoveLeaderRequest { uint64 targetId = 1; }
message MoveLeaderResponse { ResponseHeader header = 1; }
service Maintenance {
  rpc Alarm(AlarmRequest) returns (AlarmResponse);
  rpc Status(StatusRequest) returns (StatusResponse);
  rpc Defragment(DefragmentRequest) returns (DefragmentResponse);
  rpc Hash(HashRequest) returns (HashResponse);
  rpc HashKV(HashKVRequest) returns (HashKVResponse);
  rpc Snapshot(SnapshotRequest) returns (stream SnapshotResponse);
  rpc MoveLeader(MoveLeaderRequest) returns (MoveLeaderResponse);
}
`;
