export {
  type AnswerUnary,
  type GrpcRoute,
  type StreamCall,
  type StreamReceiver,
  streamRoute,
  unaryRoute,
} from "./grpc-service.js";
export { GrpcStatusError, grpcCode } from "./grpc-status.js";
export { type GrpcServer, type GrpcServerOptions, startGrpcServer } from "./start-grpc-server.js";
