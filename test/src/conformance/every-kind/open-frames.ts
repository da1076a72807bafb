import { request } from "node:https";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { decodeEnvelope } from "./encodings.js";

/** One event of a watch. */
export interface WatchedEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** A watch in protobuf. */
export interface ProtobufWatch extends Disposable {
  readonly status: number;
  readonly contentType: string;
  next(): Promise<WatchedEvent>;
}

const hangMs = 60_000;

/** Opens a watch whose events come as frames of protobuf; the path already says `watch=1`. */
export function openProtobufWatch(config: ClientConfig, path: string, accept: string): Promise<ProtobufWatch> {
  const { hostname: host, port } = config.server;
  return new Promise((resolve, reject) => {
    const sent = request({
      host,
      port,
      path,
      headers: { accept },
      agent: false,
      ca: config.certificateAuthorityPem,
      cert: config.clientCertificate?.certificatePem,
      key: config.clientCertificate?.keyPem,
      timeout: hangMs,
    });
    sent.on("timeout", () => sent.destroy(new Error(`no event came: ${path}`)));
    sent.on("error", reject);
    sent.on("response", (response) => {
      const bytes = response.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
      let pending = Buffer.alloc(0);
      const take = async (length: number): Promise<Buffer> => {
        while (pending.length < length) {
          const { value, done } = await bytes.next();
          if (done === true) {
            throw new Error(`the watch ended inside a frame: ${pending.toString("latin1")}`);
          }
          pending = Buffer.concat([pending, value]);
        }
        const taken = pending.subarray(0, length);
        pending = pending.subarray(length);
        return taken;
      };
      resolve({
        status: response.statusCode ?? 0,
        contentType: response.headers["content-type"] ?? "",
        next: async () => decodeEvent(await take((await take(4)).readUInt32BE())),
        [Symbol.dispose]: () => {
          sent.destroy();
        },
      });
    });
    sent.end();
  });
}

/** WatchEvent {1: type, 2: RawExtension {1: envelope}}, read without the decoders under test. */
function decodeEvent(message: Buffer): WatchedEvent {
  const event = readFields(message);
  const extension = readFields(event.get(2) ?? Buffer.alloc(0));
  return { type: (event.get(1) ?? "").toString(), object: decodeEnvelope(extension.get(1) ?? Buffer.alloc(0)) };
}

/** The length-delimited fields of a message, by number. */
function readFields(message: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    fields.set(tag >> 3, message.subarray(at, at + length));
    at += length;
  }
  return fields;
}
