import { channel } from "node:diagnostics_channel";

/*
 * Channels of node:diagnostics_channel on which the clients of a process tell of their work, for metrics of the process:
 * clients are made in many places, which need not know who counts. Telling nobody costs one comparison.
 */

/** A call that has ended. */
export interface ClientCall {
  readonly method: string;
  /** Host and port of the server. */
  readonly host: string;
  /** The status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** The reason why there was no answer. */
  readonly error: unknown;
  readonly seconds: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** A name of a server that was resolved. */
export interface NameResolution {
  readonly host: string;
  readonly seconds: number;
}

/** A client that was asked for: one that exists, or a new one. `clients` is the number that exist then. */
export interface ClientLookup {
  readonly isKnown: boolean;
  readonly clients: number;
}

/** A call that is repeated since the server has asked for that. */
export interface ClientRetry {
  readonly method: string;
  readonly host: string;
  readonly status: number;
}

/** A run of a credential plugin, and the certificate that it gave. */
export interface PluginRun {
  /** The exit code, or 1 when the program could not be run. */
  readonly exitCode: number;
  readonly outcome: "no_error" | "plugin_execution_error" | "plugin_not_found_error" | "client_internal_error";
  /** Bounds of the certificate's validity in milliseconds since the epoch; undefined without one. */
  readonly certificate: { readonly notBefore: number; readonly notAfter: number } | undefined;
}

/** Channels by the type of their messages. */
export const clientChannels = {
  call: channel("gatehouse.http-client.call"),
  resolution: channel("gatehouse.http-client.resolution"),
  lookup: channel("gatehouse.http-client.lookup"),
  retry: channel("gatehouse.http-client.retry"),
  pluginRun: channel("gatehouse.credentials.plugin-run"),
} as const;

/** The messages of each channel. */
export interface ClientEvents {
  readonly call: ClientCall;
  readonly resolution: NameResolution;
  readonly lookup: ClientLookup;
  readonly retry: ClientRetry;
  readonly pluginRun: PluginRun;
}

/** Tells those who listen. `make` is called when there is somebody. */
export function tell<N extends keyof ClientEvents>(name: N, make: () => ClientEvents[N]): void {
  const to = clientChannels[name];
  if (to.hasSubscribers) {
    to.publish(make());
  }
}

/** Listens to what the clients of this process do, until it is disposed of. */
export function followClients(
  listeners: { readonly [N in keyof ClientEvents]: (event: ClientEvents[N]) => void },
): Disposable {
  const names = Object.keys(clientChannels) as (keyof ClientEvents)[];
  const subscriptions = names.map((name) => {
    const listener = (message: unknown): void => listeners[name](message as never);
    clientChannels[name].subscribe(listener);
    return () => clientChannels[name].unsubscribe(listener);
  });
  return {
    [Symbol.dispose]() {
      for (const end of subscriptions) {
        end();
      }
    },
  };
}
