import { createSecureServer } from "node:http2";
import { serveOperations } from "../processes/operations.js";
import { bareOperations } from "./bare-operations.js";
import { writeChunks } from "./open-responses.js";

// The limit of what Node's own HTTP/2 server can do with the same bytes, through its core API, which costs less than the
// one that looks like HTTP/1.1's.
serveOperations(
  bareOperations((options, findRoute, open) => {
    const server = createSecureServer(options);
    server.on("stream", (stream, headers) => {
      const route = findRoute(headers[":path"] ?? "/");
      if (route === undefined) {
        stream.respond({ ":status": 404 }, { endStream: true });
        return;
      }
      stream.respond({ ":status": 200, ...route.headers });
      if (route.stream === true) {
        stream.on("error", () => {});
        open.add(stream);
      } else if (route.body !== undefined && route.chunkBytes !== undefined) {
        writeChunks(stream, route.body, route.chunkBytes);
      } else {
        stream.end(route.body);
      }
    });
    return server;
  }),
);
