/** Something that is wrong with a document though its shape is right: where, and what. */
export interface DocumentProblem {
  /** `rules[0].name` */
  readonly path: string;
  readonly text: string;
}
