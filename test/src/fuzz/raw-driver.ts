import { connect } from "node:tls";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type FuzzOutcome, hangMs } from "./fuzz-answer.js";
import type { FuzzDriver } from "./http1-driver.js";

/** Time in milliseconds to wait for more from a server that may rightly be waiting for us. */
const quietMs = 500;

/** Writes the bytes of each request to a connection of its own. */
export function createRawDriver(config: ClientConfig): FuzzDriver {
  const { hostname, port } = config.server;
  return {
    send: (fuzz) =>
      new Promise<FuzzOutcome>((resolve) => {
        const chunks: Buffer[] = [];
        const socket = connect({
          host: hostname,
          port: Number(port),
          ca: config.certificateAuthorityPem,
          cert: config.clientCertificate?.certificatePem,
          key: config.clientCertificate?.keyPem,
          ALPNProtocols: [fuzz.rawProtocol ?? "http/1.1"],
        });
        const hang = setTimeout(() => {
          resolve({ kind: "hang", detail: `${socket.bytesRead} bytes read` });
          socket.destroy();
        }, hangMs);
        socket.on("secureConnect", () => {
          socket.write(fuzz.rawBytes ?? Buffer.alloc(0));
          socket.setTimeout(quietMs, () => socket.destroy());
        });
        socket.on("data", (chunk: Buffer) => chunks.push(chunk));
        // What counts is what came before; a server may slam the door on rubbish.
        socket.on("error", () => socket.destroy());
        socket.on("close", () => {
          clearTimeout(hang);
          resolve(outcomeOf(Buffer.concat(chunks)));
        });
      }),
    [Symbol.dispose]: () => {},
  };
}

function outcomeOf(bytes: Buffer): FuzzOutcome {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(bytes.subarray(0, 20).toString("latin1"))?.[1];
  return status === undefined
    ? { kind: "closed", error: "no answer" }
    : { kind: "answer", status: Number(status), contentType: "", body: bytes };
}
