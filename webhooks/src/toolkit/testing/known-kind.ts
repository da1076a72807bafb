/** A kind and its resource. */
export interface KnownKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name of the resource. */
  readonly resource: string;
  readonly namespaced: boolean;
}
