// Loaded into an API server (`node --import`). When there is the file that GATEHOUSE_HOLD_WRITER names, or, where
// GATEHOUSE_HOLD_AT_LISTEN is set, when the server is about to listen, a write transaction begins whose JavaScript callback
// never ends: the writer's thread waits for it for ever, as it does for that of a store which shares its file with other
// processes. SIGUSR2 throws an error that nobody catches.
import { EventEmitter } from "node:events";
import { existsSync, writeSync } from "node:fs";
import { Server } from "node:net";

/** The part of a store of the library that is used here. */
interface RootStore {
  transaction(callback: () => Promise<unknown>): Promise<unknown>;
}

const lookEveryMs = 20;

let root: RootStore | undefined;

// Stores are event emitters, whose beginning can be seen from here; the first one is the root.
const emitters = EventEmitter as unknown as { init(this: object, options: unknown): void };
const { init } = emitters;
emitters.init = function (options) {
  init.call(this, options);
  root ??= "transaction" in this ? (this as RootStore) : undefined;
};

function hold(): void {
  void root?.transaction(() => {
    writeSync(2, "the writer is held\n");
    return new Promise(() => undefined);
  });
}

if (process.env["GATEHOUSE_HOLD_AT_LISTEN"] !== undefined) {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...parameters: never[]) {
    hold();
    return listen.apply(this, parameters as never);
  } as typeof listen;
} else {
  const look = setInterval(() => {
    if (existsSync(process.env["GATEHOUSE_HOLD_WRITER"] ?? "")) {
      clearInterval(look);
      hold();
    }
  }, lookEveryMs).unref();
}

process.on("SIGUSR2", () => {
  throw new Error("an error of this test");
});
