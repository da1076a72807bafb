export type { MultiplexedStream as ChannelStream } from "../multiplexing/multiplexed-stream.js";
export { acceptWebSocketChannels, type ChannelUpgrade } from "./accept-websocket-channels.js";
export type { ChannelConnection, ChannelDirection, ChannelProtocol } from "./channel-connection.js";
