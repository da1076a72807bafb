/** Input that is not what its schema says. The message is the one that clients of v1.29 see. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}
