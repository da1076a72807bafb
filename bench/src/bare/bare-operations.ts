import { readFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import type { TlsOptions } from "node:tls";
import type { Certificates } from "../certificates.js";
import { OpenResponses } from "./open-responses.js";
import type { BareRoute } from "./routes.js";

/** Operations of a bare server, whatever its protocol. */
export interface BareServerOperations {
  /** Resolves to the port. */
  readonly listen: (certificates: Certificates) => Promise<number>;
  readonly serve: (route: BareRoute) => void;
  readonly startWriting: (frame: Buffer) => void;
  readonly stopWriting: () => void;
  readonly [name: string]: (argument: never) => unknown;
}

/**
 * A bare server. `create` makes it, given what looks up a route and what takes responses that stay open. It asks for
 * client certificates, as Gatehouse does.
 */
export function bareOperations(
  create: (options: TlsOptions, route: (path: string) => BareRoute | undefined, open: OpenResponses) => Server,
): BareServerOperations {
  const routes = new Map<string, BareRoute>();
  const open = new OpenResponses();
  return {
    listen(certificates: Certificates): Promise<number> {
      const options = {
        ca: readFileSync(certificates.caFile),
        cert: readFileSync(certificates.certFile),
        key: readFileSync(certificates.keyFile),
        requestCert: true,
        rejectUnauthorized: false,
      };
      const server = create(options, (path) => routes.get(path), open);
      return new Promise((resolve) => {
        server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
      });
    },
    serve(route: BareRoute): void {
      routes.set(route.path, route);
    },
    startWriting(frame: Buffer): void {
      void open.startWriting(frame);
    },
    stopWriting(): void {
      open.stopWriting();
    },
  };
}
