export { authorityOf, type Backend, type BackendAnswer } from "./backend.js";
export type { BackendTls, DialBackend } from "./dial-backend.js";
export { type Forwarding, forward } from "./forward.js";
export { forwardUpgrade, InvalidUpgradeError } from "./forward-upgrade.js";
export { filterFields, type HeaderFields, valuesOf, withField } from "./header-fields.js";
export { relayAnswer } from "./relay-answer.js";
export { Transport, type TransportOptions } from "./transport.js";
