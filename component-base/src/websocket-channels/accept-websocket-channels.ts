import { acceptWebSocket } from "./accept-websocket.js";
import type { ChannelConnection, ChannelDirection, ChannelProtocol } from "./channel-connection.js";
import { ChannelSocket } from "./channel-socket.js";
import { refuseUpgrade, requestedProtocols, type Upgrade } from "./upgrade.js";

/** The size that one message of a client may have. */
const maxMessageBytes = 16 * 1024 * 1024;

/** An upgrade request with its socket, and the protocols and channels that the server has for it. */
export interface ChannelUpgrade extends Upgrade {
  readonly protocols: readonly ChannelProtocol[];
  readonly channels: readonly ChannelDirection[];
}

/**
 * Answers the upgrade to a WebSocket with channels. Resolves to `undefined` if it was refused: with 403 when the client
 * wants other protocols, with 400 when the request is no handshake of a WebSocket.
 */
export async function acceptWebSocketChannels(upgrade: ChannelUpgrade): Promise<ChannelConnection | undefined> {
  const wanted = requestedProtocols(upgrade.request);
  const protocol = negotiate(wanted, upgrade.protocols);
  if (protocol === undefined) {
    const supported = upgrade.protocols.map(({ name }) => name).join(" ");
    const message = `requested protocol(s) are not supported: [${wanted.join(" ")}]; supports [${supported}]`;
    refuseUpgrade(upgrade.socket, 403, message);
    return undefined;
  }
  const webSocket = await acceptWebSocket(upgrade, { protocol: protocol.name, maxMessageBytes });
  return webSocket === undefined ? undefined : new ChannelSocket(webSocket, protocol, upgrade.channels);
}

/** Returns the first protocol of the client that the server has. */
function negotiate(wanted: readonly string[], supported: readonly ChannelProtocol[]): ChannelProtocol | undefined {
  const names = wanted.length === 0 ? [""] : wanted;
  for (const name of names) {
    const found = supported.find((protocol) => protocol.name === name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
