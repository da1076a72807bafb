import type { Methods } from "@gatehouse/component-base/grpc";
import type { EtcdKeyValue, ResponseHeader } from "./kv.js";

/** A message from the client on a watch stream; exactly one member is set. */
export interface WatchRequest {
  readonly createRequest: WatchCreateRequest | null;
  readonly cancelRequest: WatchCancelRequest | null;
  readonly progressRequest: WatchProgressRequest | null;
}

/** Values of `WatchCreateRequest.filters`: the events to leave out. */
export const watchFilter = { noPut: 0, noDelete: 1 } as const;

/** A request to watch the keys from `key` up to, but without, `rangeEnd`; `key` alone when that is empty. */
export interface WatchCreateRequest {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  /** The first revision to deliver; 0 for what happens from now on. */
  readonly startRevision: number;
  /** Asks for an answer without events now and then, so that the client knows how far the watch has come. */
  readonly progressNotify: boolean;
  readonly filters: readonly number[];
  readonly prevKv: boolean;
  /** The identifier that the watch shall have; 0 lets the server choose. */
  readonly watchId: number;
  /** Allows the server to split a large answer. */
  readonly fragment: boolean;
}

/** A request to end a watch. */
export interface WatchCancelRequest {
  readonly watchId: number;
}

/** A request to tell how far all watches of the stream have come. */
export type WatchProgressRequest = Readonly<Record<never, never>>;

/** Values of `EtcdEvent.type`. */
export const eventType = { put: 0, delete: 1 } as const;

/** A change of a key. */
export interface EtcdEvent {
  readonly type: number;
  /** The new state; of a delete only the key and its modification revision. */
  readonly kv: EtcdKeyValue | null;
  /** The former state, if the watch asked for it, there was one, and it has not been compacted. */
  readonly prevKv: EtcdKeyValue | null;
}

/** A message from the server on a watch stream. */
export interface WatchResponse {
  readonly header: ResponseHeader | null;
  /** The watch; -1 for an answer about all watches of the stream. */
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** The first revision that can be watched; set when the watch was cancelled because it begins before that. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** True if the next answer continues this one. */
  readonly fragment: boolean;
  readonly events: readonly EtcdEvent[];
}

/** The service of watches. */
export type WatchService = Methods<{ Watch: [WatchRequest, WatchResponse] }>;

/** The messages of the Watch service in the protobuf language. */
export const watchProto = `
message WatchRequest {
  oneof requestUnion {
    WatchCreateRequest createRequest = 1; WatchCancelRequest cancelRequest = 2; WatchProgressRequest progressRequest = 3;
  }
}
message WatchCreateRequest {
  bytes key = 1; bytes rangeEnd = 2; int64 startRevision = 3; bool progressNotify = 4; repeated int32 filters = 5;
  bool prevKv = 6; int64 watchId = 7; bool fragment = 8;
}
message WatchCancelRequest { int64 watchId = 1; }
message WatchProgressRequest {}
message Event { int32 type = 1; KeyValue kv = 2; KeyValue prevKv = 3; }
message WatchResponse {
  ResponseHeader header = 1; int64 watchId = 2; bool created = 3; bool canceled = 4; int64 compactRevision = 5;
  string cancelReason = 6; bool fragment = 7; repeated Event events = 11;
}
service Watch { rpc Watch(stream WatchRequest) returns (stream WatchResponse); }
`;
