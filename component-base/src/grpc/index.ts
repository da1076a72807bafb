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
export { type CallOptions, callUnary } from "./call-unary.js";
export { type CodecOverrides, type CompiledProto, compileProto } from "./compile-proto.js";
export { channelCredentials, type GrpcServerTls, serverCredentials } from "./credentials.js";
export { type Grpc, loadGrpc } from "./load-grpc.js";
export type { MessageCodec, MessageInput } from "./message-codec.js";
export type { Method, Methods } from "./method.js";
