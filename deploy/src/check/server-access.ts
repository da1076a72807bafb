/** The way to the API server of a check, and files that are there until the servers beside it have started. */
export interface ServerAccess {
  /** Folder for files that nobody else may read. */
  readonly folder: string;
  readonly url: URL;
  readonly token: string;
  readonly authorityPem: string;
  readonly certFile: string;
  readonly keyFile: string;
}
