import type { Methods } from "@gatehouse/component-base/grpc";
import type { ResponseHeader } from "./kv.js";

/** A member of a cluster. */
export interface Member {
  readonly id: bigint;
  /** The name of the member; empty until it has started. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

/** A request for the members of the cluster. */
export interface MemberListRequest {
  readonly linearizable: boolean;
}

/** The answer to a MemberListRequest. */
export interface MemberListResponse {
  readonly header: ResponseHeader | null;
  readonly members: readonly Member[];
}

/** The service of the cluster's members, as far as it is used here. */
export type ClusterService = Methods<{ MemberList: [MemberListRequest, MemberListResponse] }>;

/** The messages of the Cluster service in the protobuf language. */
export const clusterProto = `
message Member {
  uint64 id = 1; string name = 2; repeated string peerUrls = 3; repeated string clientUrls = 4; bool isLearner = 5;
}
message MemberListRequest { bool linearizable = 1; }
message MemberListResponse { ResponseHeader header = 1; repeated Member members = 2; }
service Cluster { rpc MemberList(MemberListRequest) returns (MemberListResponse); }
`;
