import { type FollowedFiles, followFiles } from "@gatehouse/component-base/files";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";

/** Options of a document that is followed as it changes. */
export interface ReloadingDocumentOptions {
  readonly file: string;
  /** Interval in milliseconds between two looks at the file. Default 5 seconds. */
  readonly pollIntervalMs?: number;
  /** Logger of the events. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** The reading of one kind of document into a value. */
export interface DocumentReading<T> {
  /** Name in the log: `image rules`. */
  readonly name: string;
  /** Reads the file. Rejects with ConfigurationError. */
  readonly read: (file: string) => Promise<T>;
  /** Returns the hash of the content, for the log. */
  readonly hashOf: (value: T) => string;
}

const defaultPollIntervalMs = 5000;

/**
 * Reads a document and follows its file: a good change replaces the value, a bad one is logged. Rejects as `read` does
 * when the document cannot be used at the start.
 */
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
