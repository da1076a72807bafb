import {
  encodeJson,
  encodeProtobuf,
  encodeYaml,
  type JsonObject,
  messageSchema,
  wrapUnknown,
} from "@gatehouse/envelopes";
import type { Encoding } from "../http/negotiation.js";

/** A document that never changes, in every encoding that somebody has asked for so far. */
export interface EncodedDocument {
  /** JSON without a line end; YAML; protobuf in its envelope. */
  bytes(encoding: Encoding): Buffer;
}

/** `build` is called once, when the document is first asked for. `message` is its IDL message name, for protobuf. */
export function encodedDocument(message: string, build: () => JsonObject): EncodedDocument {
  let object: JsonObject | undefined;
  const encoded = new Map<Encoding, Buffer>();
  return {
    bytes(encoding) {
      let bytes = encoded.get(encoding);
      if (bytes === undefined) {
        object ??= build();
        bytes = encode(message, object, encoding);
        encoded.set(encoding, bytes);
      }
      return bytes;
    },
  };
}

function encode(message: string, object: JsonObject, encoding: Encoding): Buffer {
  switch (encoding) {
    case "json":
      return Buffer.from(encodeJson(object));
    case "yaml":
      return Buffer.from(encodeYaml(object));
    case "protobuf": {
      const { apiVersion, kind } = object;
      const raw = encodeProtobuf(messageSchema(message), object);
      return wrapUnknown(typeof apiVersion === "string" ? apiVersion : "", String(kind), raw);
    }
  }
}
