export {
  BackupError,
  ClientGoneError,
  JsonPathError,
  NoLongerServedError,
  ReviewAnswerError,
  ReviewFailedError,
  RevisionCompactedError,
  RevisionInFutureError,
  StoreDamagedError,
  StoreUnavailableError,
  StoreUnusableError,
  StoreUnwritableError,
} from "./errors.js";
