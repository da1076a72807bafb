/** A problem of a document whose shape is right, with its place. */
export interface DocumentProblem {
  /** The place in the document: `rules[0].name`. */
  readonly path: string;
  readonly text: string;
}
