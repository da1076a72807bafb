/** An error for input that does not fit its schema. The message is the one that clients of v1.29 see. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}
