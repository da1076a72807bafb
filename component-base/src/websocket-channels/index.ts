export type { MultiplexedStream as ChannelStream } from "../multiplexing/multiplexed-stream.js";
export type { Upgrade } from "./accept-websocket.js";
export { acceptWebSocketChannels, type ChannelUpgrade } from "./accept-websocket-channels.js";
export type { ChannelConnection, ChannelDirection, ChannelProtocol } from "./channel-connection.js";
export { acceptMessageSocket, type MessageSocket, type MessageUpgrade } from "./message-socket.js";
