/** Classes of the language: an error of one of them is a fault in the program, unless the operating system gave it. */
const languageErrors: ReadonlySet<unknown> = new Set([
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
]);

/**
 * Returns the stack of an error that is a fault in the program. Undefined for errors with a class of their own, such as
 * an issuer that answers 403, and for those of the operating system: somebody foresaw them, and their message says all.
 */
export function stackOfFault(error: Error): string | undefined {
  return languageErrors.has(error.constructor) && !("syscall" in error) ? error.stack : undefined;
}
