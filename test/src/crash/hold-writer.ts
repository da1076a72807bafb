// Loaded into an API server (`node --import`). When the file that GATEHOUSE_HOLD_WRITER names exists, the next write
// transaction of the store asks for its JavaScript callback in vain: the writer's thread waits for it for ever. SIGUSR2
// throws an error that nobody catches. Where GATEHOUSE_HOLD_AT_LISTEN is set, such a transaction begins when the server is
// about to listen.
import { EventEmitter } from "node:events";
import { existsSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Server } from "node:net";
import { dirname } from "node:path";

type Callback = (status: number) => unknown;

/** The part of the store's native library that is replaced here. */
interface Native {
  Env: new (...parameters: unknown[]) => { startWriting(address: number, callback: Callback): void };
}

/** The part of a store of the library that is used here. */
interface RootStore {
  transaction(callback: () => Promise<unknown>): Promise<unknown>;
}

/** The status with which the writer asks for the callback of a transaction. */
const callbackWanted = 2;

const requireForServer = createRequire(process.argv[1] as string);
const lmdbFolder = dirname(dirname(requireForServer.resolve("lmdb")));
// The library finds its native part in this way, too.
const requireForLmdb = createRequire(`${lmdbFolder}/package.json`);
const native = requireForLmdb("node-gyp-build-optional-packages")(lmdbFolder) as Native;

native.Env = class extends native.Env {
  override startWriting(address: number, callback: Callback): void {
    super.startWriting(address, (status) => {
      const isHeld = status === callbackWanted && existsSync(process.env["GATEHOUSE_HOLD_WRITER"] ?? "");
      return isHeld ? answer() : callback(status);
    });
  }
};

/** The answer of a callback that has not come to an end. */
function answer(): boolean {
  writeSync(2, "the writer is held\n");
  return true;
}

if (process.env["GATEHOUSE_HOLD_AT_LISTEN"] !== undefined) {
  holdAtListen();
}

function holdAtListen(): void {
  // Stores are event emitters, whose beginning can be seen from here; the first one is the root.
  const emitters = EventEmitter as unknown as { init(this: object, options: unknown): void };
  const { init } = emitters;
  let root: RootStore | undefined;
  emitters.init = function (options) {
    init.call(this, options);
    root ??= "transaction" in this ? (this as RootStore) : undefined;
  };
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...parameters: never[]) {
    void root?.transaction(() => {
      answer();
      return new Promise(() => undefined);
    });
    return listen.apply(this, parameters as never);
  } as typeof listen;
}

process.on("SIGUSR2", () => {
  throw new Error("an error of this test");
});
