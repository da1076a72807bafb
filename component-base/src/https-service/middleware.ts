import type { IncomingMessage, ServerResponse } from "node:http";

/** What `app.use` of Express takes: calls that are not for it go on by `next`. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
