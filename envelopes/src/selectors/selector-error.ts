/**
 * A selector that cannot be used, with the text that kube-apiserver gives for it. A request handler answers 400 with the
 * message as it is; kubectl itself adds which resource and selectors were asked for.
 */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}
