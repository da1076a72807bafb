/**
 * Operations of a child process: named functions with one argument each, called over its IPC channel. Each table of
 * operations has its own exact types; `never` is the argument that all of them have in common.
 */
export type Operations = Readonly<Record<string, (argument: never) => unknown>>;

export interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type Reply = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: string };

/** Answers the calls of the parent, until the parent goes away. */
export function serveOperations(operations: Operations): void {
  const reply = (message: Reply): void => {
    process.send?.(message);
  };
  process.on("message", (call: Call) => {
    void (async () => {
      try {
        const operation = operations[call.name];
        if (operation === undefined) {
          throw new TypeError(`there is no operation ${call.name}`);
        }
        reply({ id: call.id, result: await operation(call.argument as never) });
      } catch (error) {
        reply({ id: call.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    })();
  });
  // An exit would wait for a transaction of the store that is under way.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
}
