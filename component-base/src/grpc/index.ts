export type {
  ChannelOptions,
  Client,
  ClientDuplexStream,
  Metadata,
  Server,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceError,
  sendUnaryData,
} from "@grpc/grpc-js";
export { GrpcCallError } from "./call-error.js";
export { type CallOptions, callUnary } from "./call-unary.js";
export { GrpcConnection, type GrpcConnectionOptions } from "./client-connection.js";
export type { GrpcAddress, SessionCallOptions } from "./client-session.js";
export { type CodecOverrides, type CompiledProto, compileProto } from "./compile-proto.js";
export { channelCredentials, type GrpcServerTls, serverCredentials } from "./credentials.js";
export { GrpcStatusError, grpcCode } from "./grpc-status.js";
export { type Grpc, loadGrpc } from "./load-grpc.js";
export type { MessageCodec, MessageInput } from "./message-codec.js";
export type { Method, Methods } from "./method.js";
export type { StreamCall, StreamListener } from "./stream-call.js";
