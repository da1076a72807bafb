import type { Socket } from "node:net";

/**
 * Returns the address of the other end of a connection; undefined once it is closed. At a port that is open for both families,
 * Node has IPv4 addresses as IPv6 ones (`::ffff:192.0.2.1`, RFC 4291); they are IPv4 addresses here.
 */
export function peerAddress({ remoteAddress }: Pick<Socket, "remoteAddress">): string | undefined {
  return remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, "");
}
