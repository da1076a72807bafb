import type { DataDir } from "./data-dir.js";

/** What the person at the keyboard reads when the stack is ready. */
export function greeting(options: {
  readonly dataDir: DataDir;
  readonly port: number;
  readonly elapsedMs: number;
}): string {
  const { dataDir, port, elapsedMs } = options;
  return `Gatehouse is ready after ${(elapsedMs / 1000).toFixed(2)} s at https://127.0.0.1:${port}

  export KUBECONFIG=${shellQuote(dataDir.kubeconfig)}

Then try:
  kubectl get namespaces
  kubectl create configmap hello --from-literal=greeting=hi
  kubectl get configmap hello --output=yaml

The server's log is ${dataDir.logOf("apiserver")}. Ctrl-C stops everything; what is stored stays.`;
}

/** A word for a POSIX shell. */
function shellQuote(text: string): string {
  return /^[\w./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
