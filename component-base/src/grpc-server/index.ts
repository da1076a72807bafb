export { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
export type { GrpcServerOptions, PlainAnswer, PlainRequest } from "./grpc-server-options.js";
export {
  type AnswerUnary,
  type GrpcRoute,
  type StreamCall,
  type StreamReceiver,
  streamRoute,
  unaryRoute,
} from "./grpc-service.js";
export { type GrpcServer, startGrpcServer } from "./start-grpc-server.js";
