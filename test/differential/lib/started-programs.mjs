// Programs that outlive the script that starts them: process ids in NAME.pid, output in NAME.log of one folder.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Starts a program that outlives this one. */
export function background(dir, name, program, args, env = {}) {
  const log = openSync(join(dir, `${name}.log`), "w");
  const options = { detached: true, stdio: ["ignore", log, log], env: { ...process.env, ...env }, cwd: process.cwd() };
  const child = spawn(program, args, options);
  writeFileSync(join(dir, `${name}.pid`), String(child.pid));
  child.unref();
}

/**
 * Ends what an earlier call has started in DIR, and v1.29's server in DIR/oracle, and waits until all have given their
 * ports back: v1.29's server takes its time.
 */
export async function stopAll(dir, oracle) {
  const own = (existsSync(dir) ? readdirSync(dir) : []).filter((name) => name.endsWith(".pid"));
  const oracles = ["oracle", "left-oracle"].filter((folder) => existsSync(join(dir, folder)));
  const ids = [
    ...own,
    ...oracles.flatMap((folder) => ["kcm", "apiserver", "etcd"].map((program) => `${folder}/${program}.pid`)),
  ]
    .map((name) => join(dir, name))
    .filter(existsSync)
    .map((name) => Number(readFileSync(name, "utf8")));
  for (const folder of oracles) {
    execFileSync(join(oracle, "stop.sh"), [join(dir, folder)], { stdio: "ignore" });
  }
  for (const name of own) {
    signal(Number(readFileSync(join(dir, name), "utf8")), "SIGTERM");
    rmSync(join(dir, name));
  }
  const giveUpAt = Date.now() + 90_000;
  while (ids.some((id) => signal(id, 0)) && Date.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Sends a signal to a process. Reports whether the process is there. */
function signal(id, name) {
  try {
    return process.kill(id, name);
  } catch {
    return false;
  }
}

/** Waits until kubectl gets what it asks for, at most half a minute. */
export async function untilAnswered(kubeconfig, args, isWanted = () => true) {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      const options = { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 64 * 1024 * 1024 };
      const told = execFileSync("kubectl", ["--kubeconfig", kubeconfig, ...args], options);
      if (isWanted(told.toString())) {
        return;
      }
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error(`no answer to kubectl ${args.join(" ")} with ${kubeconfig}`);
}
