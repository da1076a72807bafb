import { fork } from "node:child_process";
import type { Operations, Reply } from "./operations.js";

/** A process of the benchmarks themselves: a bare server or the load generator. */
export interface Child<O extends Operations> extends AsyncDisposable {
  readonly pid: number;
  call<N extends keyof O & string>(name: N, argument: Parameters<O[N]>[0]): Promise<Awaited<ReturnType<O[N]>>>;
}

/** Starts the module at `entry`, which serves the operations `O`. */
export function startChild<O extends Operations>(entry: URL): Child<O> {
  // Advanced serialization carries Buffers as they are.
  const child = fork(entry, { serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      for (const { reject } of waiting.values()) {
        reject(new Error(`a process of the benchmark ended (${signal ?? code})`));
      }
      resolve();
    });
  });
  child.on("message", (reply: Reply) => {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("error" in reply) {
      caller?.reject(new Error(reply.error));
    } else {
      caller?.resolve(reply.result as never);
    }
  });
  let lastId = 0;
  return {
    pid: child.pid as number,
    call(name, argument) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (result: never) => void, reject });
        child.send({ id, name, argument });
      });
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) {
        child.disconnect();
      }
      await exited;
    },
  };
}
