import type { Socket } from "node:net";

/** A source of connections that another process accepts. */
export interface ConnectionSource {
  /**
   * Hands every connection to `take` from now on. Resolves to the port on which they are accepted, and to the keys with
   * which all processes that share it encrypt TLS session tickets. Rejects when the port cannot be opened.
   */
  open(
    address: { readonly host: string; readonly port: number },
    take: (connection: Socket) => void,
  ): Promise<{ readonly port: number; readonly ticketKeys: Buffer }>;
  /** Takes no further connections. */
  stop(): void;
}
