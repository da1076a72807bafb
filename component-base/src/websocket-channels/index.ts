export type { MultiplexedStream as ChannelStream } from "../multiplexing/multiplexed-stream.js";
export { type AcceptedMessageSocket, acceptMessageSocket, type MessageUpgrade } from "./accept-message-socket.js";
export { acceptWebSocketChannels, type ChannelUpgrade } from "./accept-websocket-channels.js";
export type { ChannelConnection, ChannelDirection, ChannelProtocol } from "./channel-connection.js";
export type { MessageSocket } from "./message-socket.js";
export type { Upgrade } from "./upgrade.js";
