import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificates } from "../certificates.js";

/** A running webhook server. */
export interface ServedWebhook extends AsyncDisposable {
  /** The `clientConfig` of a webhook configuration. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
}

/** Serves a webhook that answers each review, whose `uid` is told, with the text. */
export async function serveWebhook(
  certificates: Certificates,
  answer: (uid: string) => string,
): Promise<ServedWebhook> {
  const tls = { cert: readFileSync(certificates.certFile), key: readFileSync(certificates.keyFile) };
  const server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { readonly request: { readonly uid: string } };
      response.writeHead(200, { "content-type": "application/json" }).end(answer(review.request.uid));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: {
      url: `https://127.0.0.1:${port}/`,
      caBundle: readFileSync(certificates.caFile).toString("base64"),
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
