import { Agent, request as httpsRequest } from "node:https";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type FuzzOutcome, hangMs } from "./fuzz-answer.js";
import type { FuzzRequest } from "./fuzz-request.js";

export interface FuzzDriver extends Disposable {
  send(request: FuzzRequest): Promise<FuzzOutcome>;
}

/** Sends requests in HTTP/1.1 on kept-alive connections. */
export function createHttp1Driver(config: ClientConfig, maxSockets: number): FuzzDriver {
  const { hostname, port } = config.server;
  const agent = new Agent({
    keepAlive: true,
    maxSockets,
    ca: config.certificateAuthorityPem,
    cert: config.clientCertificate?.certificatePem,
    key: config.clientCertificate?.keyPem,
    ALPNProtocols: ["http/1.1"],
  });
  const send = (fuzz: FuzzRequest, mayRetry: boolean): Promise<FuzzOutcome> =>
    new Promise((resolve) => {
      const { method, target, body } = fuzz;
      const headers = body === undefined ? fuzz.headers : { ...fuzz.headers, "content-length": String(body.length) };
      const request = httpsRequest({ hostname, port, method, path: target, headers, agent });
      const timer = setTimeout(() => {
        resolve({ kind: "hang", detail: `${request.socket?.bytesRead ?? 0} bytes read on the connection` });
        request.destroy();
      }, hangMs);
      const finish = (outcome: FuzzOutcome | Promise<FuzzOutcome>): void => {
        clearTimeout(timer);
        resolve(outcome);
      };
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection in the moment in which it is used again.
        const isRace = mayRetry && request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        finish(isRace ? send(fuzz, false) : { kind: "closed", error: `${error.code}: ${error.message}` });
      });
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", (error) => finish({ kind: "closed", error: `in the answer: ${error.message}` }));
        response.on("end", () => {
          finish({
            kind: "answer",
            status: response.statusCode ?? 0,
            contentType: response.headers["content-type"] ?? "",
            body: Buffer.concat(chunks),
          });
        });
      });
      request.end(body);
    });
  return { send: (request) => send(request, true), [Symbol.dispose]: () => agent.destroy() };
}
