export {
  ClientGoneError,
  JsonPathError,
  NoLongerServedError,
  ReviewAnswerError,
  ReviewFailedError,
  RevisionCompactedError,
  RevisionInFutureError,
  StoreDamagedError,
  StoredValueUnavailableError,
  StoreUnavailableError,
  StoreUnusableError,
  StoreUnwritableError,
} from "./errors.js";
