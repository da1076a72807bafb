import type { Methods } from "@gatehouse/component-base/grpc";

/** The header of every answer of etcd. */
export interface ResponseHeader {
  readonly clusterId: bigint;
  readonly memberId: bigint;
  /** The newest revision of the key space when the request was applied. */
  readonly revision: number;
  readonly raftTerm: bigint;
}

/** One version of a key in etcd. */
export interface EtcdKeyValue {
  readonly key: Buffer;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Number of writes since the key was created; 0 stands for a deleted key. */
  readonly version: number;
  readonly value: Buffer;
  /** The lease that the key is attached to; 0n when it has none. */
  readonly lease: bigint;
}

/** Values of `RangeRequest.sortOrder`. */
export const sortOrder = { none: 0, ascend: 1, descend: 2 } as const;

/** Values of `RangeRequest.sortTarget`. */
export const sortTarget = { key: 0, version: 1, create: 2, mod: 3, value: 4 } as const;

/** A request for the keys from `key` up to, but without, `rangeEnd`; for `key` alone when that is empty. */
export interface RangeRequest {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  readonly limit: number;
  readonly revision: number;
  readonly sortOrder: number;
  readonly sortTarget: number;
  /** Lets the member answer from its own state, which may be old. */
  readonly serializable: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
  readonly minModRevision: number;
  readonly maxModRevision: number;
  readonly minCreateRevision: number;
  readonly maxCreateRevision: number;
}

/** The answer to a RangeRequest. */
export interface RangeResponse {
  readonly header: ResponseHeader | null;
  readonly kvs: readonly EtcdKeyValue[];
  readonly more: boolean;
  /** Number of keys of the range without the limit. */
  readonly count: number;
}

/** A request to write a key. */
export interface PutRequest {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly lease: bigint;
  readonly prevKv: boolean;
  readonly ignoreValue: boolean;
  readonly ignoreLease: boolean;
}

/** The answer to a PutRequest. */
export interface PutResponse {
  readonly header: ResponseHeader | null;
  readonly prevKv: EtcdKeyValue | null;
}

/** A request to delete the keys of a range. */
export interface DeleteRangeRequest {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  readonly prevKv: boolean;
}

/** The answer to a DeleteRangeRequest. */
export interface DeleteRangeResponse {
  readonly header: ResponseHeader | null;
  readonly deleted: number;
  readonly prevKvs: readonly EtcdKeyValue[];
}

/** One operation of a transaction; exactly one member is set. */
export interface RequestOp {
  readonly requestRange: RangeRequest | null;
  readonly requestPut: PutRequest | null;
  readonly requestDeleteRange: DeleteRangeRequest | null;
  readonly requestTxn: TxnRequest | null;
}

/** The answer to one operation of a transaction; exactly one member is set. */
export interface ResponseOp {
  readonly responseRange: RangeResponse | null;
  readonly responsePut: PutResponse | null;
  readonly responseDeleteRange: DeleteRangeResponse | null;
  readonly responseTxn: TxnResponse | null;
}

/** Values of `Compare.result`. */
export const compareResult = { equal: 0, greater: 1, less: 2, notEqual: 3 } as const;

/** Values of `Compare.target`. */
export const compareTarget = { version: 0, create: 1, mod: 2, value: 3, lease: 4 } as const;

/** A condition of a transaction; of the last five members but `rangeEnd` the one that `target` names is set. */
export interface Compare {
  readonly result: number;
  readonly target: number;
  readonly key: Buffer;
  readonly version: number | null;
  readonly createRevision: number | null;
  readonly modRevision: number | null;
  readonly value: Buffer | null;
  readonly lease: bigint | null;
  readonly rangeEnd: Buffer;
}

/** A transaction: `success` runs when all of `compare` hold, `failure` otherwise. */
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}

/** The answer to a TxnRequest. */
export interface TxnResponse {
  readonly header: ResponseHeader | null;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
}

/** A request to forget the history before a revision. */
export interface CompactionRequest {
  readonly revision: number;
  /** Answers only when the history has been removed from the backend. */
  readonly physical: boolean;
}

/** The answer to a CompactionRequest. */
export interface CompactionResponse {
  readonly header: ResponseHeader | null;
}

/** The service of keys and values. */
export type KvService = Methods<{
  Range: [RangeRequest, RangeResponse];
  Put: [PutRequest, PutResponse];
  DeleteRange: [DeleteRangeRequest, DeleteRangeResponse];
  Txn: [TxnRequest, TxnResponse];
  Compact: [CompactionRequest, CompactionResponse];
}>;

/** The messages of the KV service, and those that others share, in the protobuf language. */
export const kvProto = `
message ResponseHeader { uint64 clusterId = 1; uint64 memberId = 2; int64 revision = 3; uint64 raftTerm = 4; }
message KeyValue {
  bytes key = 1; int64 createRevision = 2; int64 modRevision = 3; int64 version = 4; bytes value = 5; uint64 lease = 6;
}
message RangeRequest {
  bytes key = 1; bytes rangeEnd = 2; int64 limit = 3; int64 revision = 4; int32 sortOrder = 5; int32 sortTarget = 6;
  bool serializable = 7; bool keysOnly = 8; bool countOnly = 9;
  int64 minModRevision = 10; int64 maxModRevision = 11; int64 minCreateRevision = 12; int64 maxCreateRevision = 13;
}
message RangeResponse { ResponseHeader header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }
message PutRequest {
  bytes key = 1; bytes value = 2; uint64 lease = 3; bool prevKv = 4; bool ignoreValue = 5; bool ignoreLease = 6;
}
message PutResponse { ResponseHeader header = 1; KeyValue prevKv = 2; }
message DeleteRangeRequest { bytes key = 1; bytes rangeEnd = 2; bool prevKv = 3; }
message DeleteRangeResponse { ResponseHeader header = 1; int64 deleted = 2; repeated KeyValue prevKvs = 3; }
message RequestOp {
  oneof request {
    RangeRequest requestRange = 1; PutRequest requestPut = 2; DeleteRangeRequest requestDeleteRange = 3;
    TxnRequest requestTxn = 4;
  }
}
message ResponseOp {
  oneof response {
    RangeResponse responseRange = 1; PutResponse responsePut = 2; DeleteRangeResponse responseDeleteRange = 3;
    TxnResponse responseTxn = 4;
  }
}
message Compare {
  int32 result = 1; int32 target = 2; bytes key = 3;
  oneof targetUnion {
    int64 version = 4; int64 createRevision = 5; int64 modRevision = 6; bytes value = 7; uint64 lease = 8;
  }
  bytes rangeEnd = 64;
}
message TxnRequest { repeated Compare compare = 1; repeated RequestOp success = 2; repeated RequestOp failure = 3; }
message TxnResponse { ResponseHeader header = 1; bool succeeded = 2; repeated ResponseOp responses = 3; }
message CompactionRequest { int64 revision = 1; bool physical = 2; }
message CompactionResponse { ResponseHeader header = 1; }
service KV {
  rpc Range(RangeRequest) returns (RangeResponse);
  rpc Put(PutRequest) returns (PutResponse);
  rpc DeleteRange(DeleteRangeRequest) returns (DeleteRangeResponse);
  rpc Txn(TxnRequest) returns (TxnResponse);
  rpc Compact(CompactionRequest) returns (CompactionResponse);
}
`;
