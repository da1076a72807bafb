/** One line of a policy file (`abac.authorization.kubernetes.io/v1beta1`), with no member left out. */
export interface AbacPolicy {
  /** The number of the line, from 1 on. */
  readonly line: number;
  /** Empty: whoever it is. */
  readonly user: string;
  /** Empty: whatever the groups. At least one of user and group is there, or the line says nothing. */
  readonly group: string;
  /** It allows no more than to get, list and watch. */
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  /** A path, or what paths begin with before a star. */
  readonly nonResourcePath: string;
}

/** A line that cannot be read. */
export interface AbacProblem {
  /** From 1 on. */
  readonly line: number;
  readonly problem: string;
}

/** What a policy file says. */
export interface AbacFile {
  readonly policies: readonly AbacPolicy[];
  readonly problems: readonly AbacProblem[];
  /** Lines in the oldest form, which tells no version. */
  readonly unversionedLines: number;
}
