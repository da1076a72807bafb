/** Encodes and decodes one kind of protobuf message. */
export interface MessageCodec<T> {
  /** Returns the wire form. Members that are left out have their default value. */
  encode(message: MessageInput<T>): Buffer;
  /** Returns a message with every member set. Its `bytes` members share memory with `bytes`. Throws if malformed. */
  decode(bytes: Buffer): T;
}

/** A message to be encoded: every member may be left out, at any depth. */
export type MessageInput<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly MessageInput<Item>[]
    : { readonly [Name in keyof T]?: MessageInput<T[Name]> | undefined };

type Scalar = string | number | bigint | boolean | Uint8Array | null | undefined;
