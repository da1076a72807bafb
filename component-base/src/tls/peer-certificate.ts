import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";

const shownBy = new WeakMap<TLSSocket, X509Certificate>();

/**
 * The certificate that the peer has shown, together with those that it has shown besides; undefined where it has shown none.
 * Node takes the others out of the connection when it is first asked for, so it is asked once: whoever asked after that would
 * see a certificate without its issuer. Releases of Node with https://github.com/nodejs/node/issues/65579 never show the
 * others to a server; whoever comes by an intermediate authority is refused there.
 */
export function peerCertificateOf(socket: TLSSocket): X509Certificate | undefined {
  let certificate = shownBy.get(socket);
  if (certificate === undefined) {
    certificate = socket.getPeerX509Certificate();
    if (certificate !== undefined) {
      shownBy.set(socket, certificate);
    }
  }
  return certificate;
}

/**
 * Reads the certificate of a peer that OpenSSL does not trust, which keeps the connection. To be called while the handshake
 * of `socket` is being told (`secureConnection`): where a signature was wrong, OpenSSL leaves errors behind, and Node takes
 * them for errors of the next read or write and ends the connection, before the peer is told that it is not believed, or
 * though another authority of the same name has signed. Node drops them when it reads a certificate.
 */
export function keepUntrustedPeer(socket: TLSSocket): void {
  if (!socket.authorized) {
    peerCertificateOf(socket);
  }
}
