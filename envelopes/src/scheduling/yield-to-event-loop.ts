/**
 * Lets everything else run that is due: resolves in the next round of the event loop. Rejects with the reason of the
 * signal if that has aborted by then.
 */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
