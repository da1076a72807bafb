/** Aborts all of them at the end of a block, however it ends. */
export function stopping(...controllers: readonly AbortController[]): Disposable {
  return {
    [Symbol.dispose]() {
      for (const controller of controllers) {
        controller.abort();
      }
    },
  };
}
