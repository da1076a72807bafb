import { createServer } from "node:https";
import { serveOperations } from "../processes/operations.js";
import { bareOperations } from "./bare-operations.js";

// The limit of what Node's own HTTPS server can do with reviews: it parses what comes, and sends the same bytes.
serveOperations(
  bareOperations((options, findRoute) =>
    createServer(options, (request, response) => {
      const route = findRoute(request.url ?? "/");
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const review = JSON.parse(Buffer.concat(chunks).toString()) as { readonly kind?: unknown };
        response.writeHead(route === undefined || review.kind === undefined ? 404 : 200, route?.headers);
        response.end(route?.body);
      });
    }),
  ),
);
