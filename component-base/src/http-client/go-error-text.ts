import { HttpClientError } from "../errors.js";
import { chainProblemText } from "../tls/chain-problem-text.js";
import { type DialAddress, DialError } from "./dial.js";
import { ProxyError } from "./proxy.js";
import { MalformedResponseError, TruncatedBodyError } from "./response-errors.js";
import { HandshakeError } from "./secure-connection.js";
import { type CertificateProblem, ServerCertificateError } from "./verify-server-certificate.js";

/** Returns the error text of Go's HTTP client for a call that got no answer: `Post "https://a/b?timeout=10s": EOF`. */
export function goCallError(method: string, url: string, error: HttpClientError): string {
  if (error.cause instanceof TruncatedBodyError) {
    return `unexpected error when reading response body. Please retry. Original error: ${goErrorText(error)}`;
  }
  const name = `${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  return `${name} ${JSON.stringify(url)}: ${goErrorText(error)}`;
}

/** Returns the reason why there was no answer, in the words of Go's standard library where they are known. */
export function goErrorText(error: HttpClientError): string {
  if (error.failure === "timeout") {
    return "context deadline exceeded";
  }
  if (error.failure === "aborted") {
    return "context canceled";
  }
  const { cause } = error;
  if (cause instanceof HttpClientError) {
    return goErrorText(cause);
  }
  if (cause instanceof DialError) {
    return dialText(cause);
  }
  if (cause instanceof ServerCertificateError) {
    return `tls: failed to verify certificate: x509: ${certificateText(cause.problem, cause.at)}`;
  }
  if (cause instanceof ProxyError) {
    return cause.statusText;
  }
  if (cause instanceof TruncatedBodyError) {
    return (cause.cause instanceof Error && unpackTexts.get(cause.cause.message)) || "unexpected EOF";
  }
  if (cause instanceof MalformedResponseError) {
    return `net/http: HTTP/1.x transport connection broken: ${cause.problem}`;
  }
  const handshake = cause instanceof HandshakeError ? handshakeTexts.get(cause.code) : undefined;
  return handshake ?? streamText(cause instanceof HandshakeError ? cause.cause : cause, error.message);
}

/** Go's texts for what zlib says of a compressed body. */
const unpackTexts: ReadonlyMap<string, string> = new Map([
  ["incorrect header check", "gzip: invalid header"],
  ["incorrect data check", "gzip: invalid checksum"],
  ["incorrect length check", "gzip: invalid checksum"],
]);

const systemTexts: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connect: connection refused"],
  ["ECONNRESET", "connect: connection reset by peer"],
  ["EHOSTUNREACH", "connect: no route to host"],
  ["ENETUNREACH", "connect: network is unreachable"],
  ["EADDRNOTAVAIL", "connect: cannot assign requested address"],
  ["EINVAL", "connect: invalid argument"],
  ["EACCES", "connect: permission denied"],
  ["EPERM", "connect: operation not permitted"],
  ["ETIMEDOUT", "connect: connection timed out"],
  ["EMFILE", "socket: too many open files"],
  ["DIAL_TIMEOUT", "i/o timeout"],
]);

function dialText({ code, address, message }: DialError): string {
  if (code === "ENOTFOUND") {
    return `dial tcp: lookup ${address.host}: no such host`;
  }
  if (code === "EAI_AGAIN") {
    return `dial tcp: lookup ${address.host}: Temporary failure in name resolution`;
  }
  return `dial tcp ${joinHostPort(address)}: ${systemTexts.get(code) ?? message}`;
}

function joinHostPort({ host, port }: DialAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function certificateText(problem: CertificateProblem, at: Date): string {
  switch (problem.kind) {
    case "common-name-only":
      return "certificate relies on legacy Common Name field, use SANs instead";
    case "wrong-name":
      return wrongNameText(problem.wanted, problem.names);
    default:
      return chainProblemText(problem, at);
  }
}

function wrongNameText(wanted: string, names: readonly string[]): string {
  if (names.length > 0) {
    return `certificate is valid for ${names.join(", ")}, not ${wanted}`;
  }
  return /^[\d.]+$|:/.test(wanted)
    ? `cannot validate certificate for ${wanted} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${wanted}`;
}

const handshakeTexts: ReadonlyMap<string, string> = new Map([
  ["HANDSHAKE_TIMEOUT", "net/http: TLS handshake timeout"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "http: server gave HTTP response to HTTPS client"],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "http: server gave HTTP response to HTTPS client"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "remote error: tls: protocol version not supported"],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "tls: server selected unsupported protocol version"],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "remote error: tls: handshake failure"],
  ["ERR_SSL_TLSV1_ALERT_HANDSHAKE_FAILURE", "remote error: tls: handshake failure"],
  ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "remote error: tls: bad certificate"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED", "remote error: tls: expired certificate"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN", "remote error: tls: unknown certificate"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "remote error: tls: unknown certificate authority"],
  ["ERR_SSL_TLSV1_ALERT_ACCESS_DENIED", "remote error: tls: access denied"],
  ["ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", "remote error: tls: internal error"],
  ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME", "remote error: tls: unrecognized name"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "remote error: tls: certificate required"],
]);

function streamText(cause: unknown, otherwise: string): string {
  const code = codeOf(cause);
  // With TLS 1.3 the server sees the client's certificate, or misses it, after the client has begun to talk.
  const alert = handshakeTexts.get(code);
  if (alert !== undefined) {
    return alert;
  }
  if (code === "EPIPE") {
    return "write: broken pipe";
  }
  if (code === "ECONNRESET") {
    // Node tells of a connection that was closed in the handshake as of one that was reset; only the latter comes of a read.
    return cause instanceof Error && "syscall" in cause ? "read: connection reset by peer" : "EOF";
  }
  if (code === "UND_ERR_SOCKET") {
    return "EOF";
  }
  return otherwise;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
