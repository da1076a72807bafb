/**
 * A selector that cannot be used, with the text that kube-apiserver gives for it. A request handler answers 400 with the
 * message as it is; kubectl adds which resource and selectors were asked for.
 */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
  /** The selector is well-formed, but asks for a field that the kind does not offer. */
  readonly isUnsupportedField: boolean;

  constructor(message: string, options: { readonly isUnsupportedField?: boolean } = {}) {
    super(message);
    this.isUnsupportedField = options.isUnsupportedField ?? false;
  }
}
