import { connect, constants, type OutgoingHttpHeaders } from "node:http2";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type Answer, answerOf } from "./api-client.js";

/** Time limit in milliseconds that only a hang reaches. */
const hangMs = 60_000;

/**
 * One request over an HTTP/2 connection of its own. Resolves when the response has ended, or the stream has closed without
 * one. It does not wait for the stream to close after a response: where a server answers before node's client has sent
 * the body, as kube-apiserver does as well, that client leaves the stream open for good.
 */
export async function http2Request(
  config: ClientConfig,
  headers: OutgoingHttpHeaders,
  body?: Buffer | string,
): Promise<Answer> {
  const session = connect(config.server.origin, {
    ca: config.certificateAuthorityPem,
    cert: config.clientCertificate?.certificatePem,
    key: config.clientCertificate?.keyPem,
  });
  try {
    return await new Promise((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request(headers, { endStream: body === undefined });
      const chunks: Buffer[] = [];
      let answered: Record<string, string | string[] | undefined> = {};
      stream.setTimeout(hangMs, () => reject(new Error("the stream did not end")));
      stream.on("response", (responseHeaders) => {
        answered = responseHeaders as typeof answered;
      });
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      const settle = (): void => {
        resolve(answerOf(Number(answered[constants.HTTP2_HEADER_STATUS]), answered, Buffer.concat(chunks)));
      };
      stream.on("end", settle);
      stream.on("close", settle);
      if (body !== undefined) {
        stream.end(body);
      }
    });
  } finally {
    session.destroy();
  }
}
