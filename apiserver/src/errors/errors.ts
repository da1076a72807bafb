import { StatusError } from "@gatehouse/envelopes/status";

/*
 * The errors that cross a border of this package. Those of a store are part of the contract that a store of one's own
 * keeps. Errors of requests are StatusErrors, whose status is the answer.
 */

/**
 * The error for a revision that has been compacted away. Thrown by reads and watches of a store. The client gets 410 and
 * lists again.
 */
export class RevisionCompactedError extends Error {
  override readonly name = "RevisionCompactedError";
  readonly compactRevision: number;

  constructor(compactRevision: number) {
    super(`required revision has been compacted (oldest is ${compactRevision})`);
    this.compactRevision = compactRevision;
  }
}

/**
 * The error for a revision that has not been reached yet. Thrown by reads and watches of a store. The server waits for it
 * where that helps; otherwise the client gets 504 and tries again.
 */
export class RevisionInFutureError extends Error {
  override readonly name = "RevisionInFutureError";
  readonly currentRevision: number;

  constructor(currentRevision: number) {
    super(`required revision is a future revision (newest is ${currentRevision})`);
    this.currentRevision = currentRevision;
  }
}

/**
 * The error for a store that cannot be opened or used as configured. Thrown when a store is opened. The message is one
 * sentence for the person who starts the program, which prints it and exits.
 */
export class StoreUnusableError extends Error {
  override readonly name = "StoreUnusableError";
}

/**
 * The error for a record that is not what was written: the disk, or another program, has changed it. Thrown by reads of a
 * store, which reports it to its observer. The client gets 500; other records stay readable.
 */
export class StoreDamagedError extends Error {
  override readonly name = "StoreDamagedError";
  /** The key whose data is damaged; undefined when the damage hides that. */
  readonly key: string | undefined;
  /** The revision of the damaged version, where that is known. */
  readonly revision: number | undefined;

  constructor(
    what: { readonly key?: string | undefined; readonly revision?: number | undefined; readonly detail: string },
    options?: ErrorOptions,
  ) {
    const key = what.key === undefined ? "" : ` of ${JSON.stringify(what.key)}`;
    const revision = what.revision === undefined ? "" : ` at revision ${what.revision}`;
    super(`the stored data${key}${revision} is damaged: ${what.detail}`, options);
    this.key = what.key;
    this.revision = what.revision;
  }
}

/**
 * The error for a value that cannot be read now, because another process, which does not answer, holds the key to it.
 * Thrown by reads of a store, also for a range of which one value is such. Unlike damage it passes. The client gets 500.
 */
export class StoredValueUnavailableError extends StoreDamagedError {
  constructor(
    what: { readonly key: string; readonly revision: number; readonly detail: string },
    options?: ErrorOptions,
  ) {
    super(what, options);
    this.message = `the stored data of ${JSON.stringify(what.key)} cannot be read now: ${what.detail}`;
  }
}

/**
 * The error for a store that cannot write now, for lack of space as a rule, or because of an alarm; it tries again by itself. Writes of a store
 * reject with it. The client gets 500, as in v1.29.
 */
export class StoreUnwritableError extends Error {
  override readonly name = "StoreUnwritableError";
}

/**
 * The error for a store whose file cannot be read now; the store tries again by itself. Thrown by reads and writes. The
 * client gets 500.
 */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/**
 * The error for a backup, or another copy of a store, that cannot be made, read or restored. The message is one sentence
 * for the person who runs the command, which prints it and exits.
 */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/**
 * The error for a request that the server of a store has refused, or failed at. Thrown by reads and writes of a store that
 * others serve. The client gets 500 with that server's text, as in v1.29.
 */
export class StoreRefusedError extends Error {
  override readonly name: string = "StoreRefusedError";
}

/** The error for a value that is larger than the server of a store takes. The write has not happened. */
export class StoreValueTooLargeError extends StoreRefusedError {
  override readonly name = "StoreValueTooLargeError";
}

/**
 * The error for a store that has not answered in time. Thrown by reads and writes of a store that others serve. A write may
 * have happened, or may still happen. The client gets 504, as in v1.29.
 */
export class StoreTimeoutError extends Error {
  override readonly name = "StoreTimeoutError";

  constructor(options?: ErrorOptions) {
    super("request did not complete within requested timeout - context deadline exceeded", options);
  }
}

/**
 * The 410 error for reads of a resource that has been taken out of service, as custom resources can be. Clients then ask
 * again, and find the resource that is served now. A watch ends without it.
 */
export class NoLongerServedError extends StatusError {
  constructor() {
    super(410, "Expired", "the resource is no longer served");
  }
}

/**
 * The error for a client that closed its connection before it had its answer. It is the reason of a request's signal. A
 * handler lets it pass: nobody is left to answer.
 */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";

  constructor() {
    super("the client closed the connection");
  }
}

/**
 * The error for a webhook that could not answer a review, in v1.29's words. Calls of a ReviewClient reject with it, after
 * all tries; `cause` may be what it answered instead. An authenticator or authorizer has no opinion then, or refuses, as
 * configured.
 */
export class ReviewFailedError extends Error {
  override readonly name = "ReviewFailedError";
}

/**
 * The error for an answer to a review that cannot be read, in v1.29's words. Thrown by readers of answers; a ReviewClient
 * makes a ReviewFailedError of it.
 */
export class ReviewAnswerError extends Error {
  override readonly name = "ReviewAnswerError";
}

/**
 * The error for a JSONPath that cannot be parsed, or that leads nowhere in some object. Thrown by `parseJsonPath` and
 * `evaluateJsonPath`. A definition with such a path is refused; a table shows an empty cell.
 */
export class JsonPathError extends Error {
  override readonly name = "JsonPathError";
}
