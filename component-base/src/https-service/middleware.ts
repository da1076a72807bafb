import type { IncomingMessage, ServerResponse } from "node:http";

/** Middleware as `app.use` of Express takes it: requests that it does not answer are passed on by `next`. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
