export {
  type ConnectionLimits,
  type ConnectionListener,
  Http2Connection,
  type Serving,
} from "./http2-connection.js";
export { errorCode, Http2Error } from "./http2-error.js";
export { type Http2Stream, noReceiver, type StreamReceiver } from "./http2-stream.js";
export { fieldValue, isConnectionField } from "./message-rules.js";
