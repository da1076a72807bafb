export type { CallTls } from "./call-tls.js";
export {
  type CallCredentials,
  type ClientCredentials,
  type ClientCredentialsOptions,
  openClientCredentials,
} from "./client-credentials.js";
