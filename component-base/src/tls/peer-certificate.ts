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
