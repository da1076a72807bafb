import { type FollowedFiles, followFiles } from "@gatehouse/component-base/files";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";

/** Which document, and how it is followed. */
export interface ReloadingDocumentOptions {
  readonly file: string;
  /** How often the file is looked at, in milliseconds. Default 5 seconds. */
  readonly pollIntervalMs?: number;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
}

/** What is made of a document. */
export interface DocumentReading<T> {
  /** For the log: `image rules`. */
  readonly name: string;
  /** Rejects with ConfigurationError. */
  readonly read: (file: string) => Promise<T>;
  /** Of what the document says; told in the log. */
  readonly hashOf: (value: T) => string;
}

const defaultPollIntervalMs = 5000;

/** Reads a document and follows its file. Rejects as `read` does when it cannot be used now. */
export function openReloadingDocument<T>(
  { name, read, hashOf }: DocumentReading<T>,
  options: ReloadingDocumentOptions,
): Promise<FollowedFiles<T>> {
  const { file, logger = silentLogger } = options;
  return followFiles({
    files: [file],
    read: () => read(file),
    pollIntervalMs: options.pollIntervalMs ?? defaultPollIntervalMs,
    onReload: (value) => logger.info(`${name} reloaded`, { file, hash: hashOf(value) }),
    onRefusal: (error) => logger.error(`cannot use the new ${name}, keeping the old ones`, { file, error }),
  });
}
