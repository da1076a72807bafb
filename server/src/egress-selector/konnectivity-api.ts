import { compileProto, type MessageInput, type Methods } from "@gatehouse/component-base/grpc";

/** Types of packets of the proxy protocol of konnectivity. */
export const packetType = { dialRequest: 0, dialResponse: 1, closeRequest: 2, closeResponse: 3, data: 4, closeDial: 5 };

/** A packet of a tunnel. The payload that its type names is set. */
export interface Packet {
  readonly type: number;
  readonly dialRequest: { readonly protocol: string; readonly address: string; readonly random: number } | null;
  readonly dialResponse: { readonly error: string; readonly connectID: number; readonly random: number } | null;
  readonly data: { readonly connectID: number; readonly error: string; readonly data: Buffer } | null;
  readonly closeRequest: { readonly connectID: number } | null;
  readonly closeResponse: { readonly error: string; readonly connectID: number } | null;
  readonly closeDial: { readonly random: number } | null;
}

/** The service of a konnectivity server for its clients. */
export type ProxyMethods = Methods<{ Proxy: [Packet, Packet] }>;

/** A packet to send. */
export type PacketInput = MessageInput<Packet>;

const text = `
syntax = "proto3";
message Packet {
  int32 type = 1;
  oneof payload {
    DialRequest dialRequest = 2;
    DialResponse dialResponse = 3;
    Data data = 4;
    CloseRequest closeRequest = 5;
    CloseResponse closeResponse = 6;
    CloseDial closeDial = 7;
  }
}
message DialRequest { string protocol = 1; string address = 2; int64 random = 3; }
message DialResponse { string error = 1; int64 connectID = 2; int64 random = 3; }
message CloseRequest { int64 connectID = 1; }
message CloseResponse { string error = 1; int64 connectID = 2; }
message CloseDial { int64 random = 1; }
message Data { int64 connectID = 1; string error = 2; bytes data = 3; }
service ProxyService { rpc Proxy(stream Packet) returns (stream Packet); }
`;

/** Returns the methods of the service, by our own description of its messages. */
export async function proxyMethods(): Promise<ProxyMethods> {
  return (await compileProto(text)).service<ProxyMethods>("ProxyService");
}
