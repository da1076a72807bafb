/** What the rules say of one image. */
export interface ImageVerdict {
  readonly isAllowed: boolean;
  /** Name of the rule or exception that has decided; `default` where none fitted, `invalid` for what is no image. */
  readonly decidedBy: string;
  /** For people: the image, what has decided and why. */
  readonly reason: string;
}

/** Where an image is to be used. */
export interface ImageUse {
  readonly namespace: string;
  /** Annotations of the pod, as far as they are known. */
  readonly annotations: ReadonlyMap<string, string>;
}
