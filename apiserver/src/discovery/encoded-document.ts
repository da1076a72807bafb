import { createHash } from "node:crypto";
import { encodeJson, encodeProtobuf, encodeYaml, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import type { Encoding } from "../http/negotiation.js";

/** A document that never changes, in every encoding that has been requested so far. */
export class EncodedDocument {
  readonly #message: string;
  readonly #build: () => JsonObject;
  readonly #bodies = new Map<Encoding, Buffer>();
  #object: JsonObject | undefined;
  #etag: string | undefined;

  /**
   * Prepares the document. `build` is called once, when it is first requested; `message` is its IDL message name, for
   * protobuf.
   */
  constructor(message: string, build: () => JsonObject) {
    this.#message = message;
    this.#build = build;
  }

  /**
   * Returns the encoded document as it is sent: JSON with a newline, YAML, or protobuf in its envelope. The same buffer
   * every time.
   */
  body(encoding: Encoding): Buffer {
    let body = this.#bodies.get(encoding);
    if (body === undefined) {
      this.#object ??= this.#build();
      body = encode(this.#message, this.#object, encoding);
      this.#bodies.set(encoding, body);
    }
    return body;
  }

  /** The JSON without a newline. */
  get json(): Buffer {
    return this.body("json").subarray(0, -1);
  }

  /** The entity tag in quotes: SHA-512 of the JSON in upper-case hexadecimal, regardless of the encoding sent. */
  get etag(): string {
    this.#etag ??= `"${createHash("sha512").update(this.json).digest("hex").toUpperCase()}"`;
    return this.#etag;
  }
}

function encode(message: string, object: JsonObject, encoding: Encoding): Buffer {
  switch (encoding) {
    case "json":
      return Buffer.from(`${encodeJson(object)}\n`);
    case "yaml":
      return Buffer.from(encodeYaml(object));
    case "protobuf": {
      const { apiVersion, kind } = object;
      const raw = encodeProtobuf(messageSchema(message), object);
      return wrapUnknown(typeof apiVersion === "string" ? apiVersion : "", String(kind), raw);
    }
  }
}
