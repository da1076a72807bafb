import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type FuzzOutcome, hangMs } from "./fuzz-answer.js";
import type { FuzzDriver } from "./http1-driver.js";

/** Time in milliseconds that a stream may take to close after its answer. */
const lingerMs = 5000;

/** Sends requests as streams of one HTTP/2 connection, which is opened anew when it ends. */
export function createHttp2Driver(config: ClientConfig): FuzzDriver {
  let session: ClientHttp2Session | undefined;
  const openSession = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      const opened = connect(config.server.origin, {
        ca: config.certificateAuthorityPem,
        cert: config.clientCertificate?.certificatePem,
        key: config.clientCertificate?.keyPem,
        maxSessionMemory: 1000,
      });
      opened.on("error", () => opened.destroy());
      opened.on("goaway", () => opened.close());
      session = opened;
    }
    return session;
  };
  return {
    send: (fuzz) =>
      new Promise<FuzzOutcome>((resolve) => {
        const { method, target, headers, body } = fuzz;
        const stream = openSession().request(
          {
            [constants.HTTP2_HEADER_METHOD]: method,
            [constants.HTTP2_HEADER_PATH]: target,
            ...headers,
          },
          { endStream: body === undefined },
        );
        let status = 0;
        let contentType = "";
        const chunks: Buffer[] = [];
        const timer = setTimeout(() => {
          const read = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
          resolve({
            kind: "hang",
            detail: `status ${status}, ${read} bytes, closed ${stream.closed}, session ${stream.session?.destroyed ?? "gone"}`,
          });
          stream.close(constants.NGHTTP2_CANCEL);
        }, hangMs);
        stream.on("response", (answer) => {
          status = Number(answer[":status"]);
          contentType = String(answer["content-type"] ?? "");
        });
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        let failure = "";
        stream.on("error", (error) => {
          failure = error.message;
        });
        const finish = (): void => {
          clearTimeout(timer);
          resolve(
            status === 0
              ? { kind: "closed", error: failure === "" ? `stream code ${stream.rstCode}` : failure }
              : { kind: "answer", status, contentType, body: Buffer.concat(chunks) },
          );
        };
        // The whole answer may be there before the whole body has left; Node does not close the stream by itself then.
        stream.on("end", () => {
          if (status !== 0) {
            finish();
            setTimeout(() => stream.destroy(), lingerMs).unref();
          }
        });
        stream.on("close", finish);
        if (body !== undefined) {
          stream.end(body);
        }
      }),
    [Symbol.dispose]: () => session?.destroy(),
  };
}
