import type { ChannelCredentials, ServerCredentials } from "@grpc/grpc-js";
import type { CallTls } from "../credentials/call-tls.js";
import type { CertificatePem } from "../kubeconfig/client-config.js";
import type { Grpc } from "./load-grpc.js";

/** Returns credentials of a client; without TLS material, of one in plain text. */
export function channelCredentials({ credentials }: Grpc, tls: CallTls | undefined): ChannelCredentials {
  if (tls === undefined) {
    return credentials.createInsecure();
  }
  const { certificateAuthorityPem, clientCertificate } = tls;
  return credentials.createSsl(
    certificateAuthorityPem === undefined ? null : Buffer.from(certificateAuthorityPem),
    clientCertificate === undefined ? null : Buffer.from(clientCertificate.keyPem),
    clientCertificate === undefined ? null : Buffer.from(clientCertificate.certificatePem),
  );
}

/** The TLS material of a gRPC server. */
export interface GrpcServerTls {
  readonly servingCertificate: CertificatePem;
  /** Authorities of clients; when given, every client must show a certificate of one of them. */
  readonly clientAuthoritiesPem?: string;
}

/** Returns credentials of a server; without TLS material, of one in plain text. */
export function serverCredentials({ ServerCredentials }: Grpc, tls: GrpcServerTls | undefined): ServerCredentials {
  if (tls === undefined) {
    return ServerCredentials.createInsecure();
  }
  const { servingCertificate, clientAuthoritiesPem } = tls;
  const pair = {
    cert_chain: Buffer.from(servingCertificate.certificatePem),
    private_key: Buffer.from(servingCertificate.keyPem),
  };
  const authorities = clientAuthoritiesPem === undefined ? null : Buffer.from(clientAuthoritiesPem);
  return ServerCredentials.createSsl(authorities, [pair], authorities !== null);
}
