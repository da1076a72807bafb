import type { gatehouseimagesV1alpha1 } from "@gatehouse/envelopes/types";
import { compileGlobs } from "../glob/glob.js";
import type { ImageReference } from "../images/image-reference.js";
import { compileImagePattern } from "./image-pattern.js";
import type { ImageUse } from "./image-verdict.js";

/** A compiled exception. */
export interface CompiledException {
  readonly name: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  fits(image: ImageReference, use: ImageUse): boolean;
}

/** Makes an exception ready. It has been checked. */
export function compileException(exception: gatehouseimagesV1alpha1.ImageException): CompiledException {
  const { name, reason, expires, annotation } = exception;
  const fitsImage = compileImagePattern(exception);
  const fitsNamespace = compileGlobs(exception.namespaces);
  const fitsAnnotations = (annotations: ReadonlyMap<string, string>): boolean => {
    if (annotation === undefined || annotation === null) {
      return true;
    }
    const value = annotations.get(annotation.key);
    return (
      value !== undefined && (annotation.value === undefined || annotation.value === null || annotation.value === value)
    );
  };
  return {
    name,
    reason,
    expiresAt: Date.parse(String(expires)),
    fits: (image, { namespace, annotations }) =>
      fitsNamespace(namespace) && fitsAnnotations(annotations) && fitsImage(image),
  };
}
