/**
 * Settles as `pending` does, or rejects with the signal's reason as soon as that aborts. What is being waited for goes on,
 * for those who come later.
 */
export function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
    if (signal.aborted) {
      giveUp();
    }
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
