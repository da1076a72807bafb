export { fieldNameOf, isFieldValue } from "./fields.js";
export { Http1Connection, type Http1Serving, type RequestReceiver } from "./http1-connection.js";
export type { RequestHead } from "./request-head.js";
