/** The verdict of the rules about one image. */
export interface ImageVerdict {
  readonly isAllowed: boolean;
  /**
   * The name of the rule or exception that has decided; `default` if none matched, `invalid` for an invalid image name.
   */
  readonly decidedBy: string;
  /** A text for people: the image, and the rule and reason that decided. */
  readonly reason: string;
}

/** The place in which an image is to be used. */
export interface ImageUse {
  readonly namespace: string;
  /** Annotations of the pod, as far as they are known. */
  readonly annotations: ReadonlyMap<string, string>;
}
