/** A line of a policy file (`abac.authorization.kubernetes.io/v1beta1`), with no member left out. */
export interface AbacPolicy {
  /** The number of the line, from 1 on. */
  readonly line: number;
  /** The name of the user; empty for any. */
  readonly user: string;
  /** The name of the group; empty for any. At least one of user and group is set, or the line allows nothing. */
  readonly group: string;
  /** True if the line allows only get, list and watch. */
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  /** A path, or a prefix of paths before a star. */
  readonly nonResourcePath: string;
}

/** A line that cannot be read. */
export interface AbacProblem {
  /** The number of the line, from 1 on. */
  readonly line: number;
  readonly problem: string;
}

/** The contents of a policy file. */
export interface AbacFile {
  readonly policies: readonly AbacPolicy[];
  readonly problems: readonly AbacProblem[];
  /** The number of lines in the oldest form, which states no version. */
  readonly unversionedLines: number;
}
