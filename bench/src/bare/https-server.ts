import { createServer } from "node:https";
import { serveOperations } from "../processes/operations.js";
import { bareOperations } from "./bare-operations.js";
import { writeChunks } from "./open-responses.js";

// The limit of what Node's own HTTPS server can do with the same bytes. A process of its own, like the server it is
// compared with.
serveOperations(
  bareOperations((options, findRoute, open) =>
    createServer(options, (request, response) => {
      const route = findRoute(request.url ?? "/");
      if (route === undefined) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, route.headers);
      if (route.stream === true) {
        response.flushHeaders();
        open.add(response);
      } else if (route.body !== undefined && route.chunkBytes !== undefined) {
        writeChunks(response, route.body, route.chunkBytes);
      } else {
        response.end(route.body);
      }
    }),
  ),
);
