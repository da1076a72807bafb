/** Imports a module of the page that needs no browser. Such modules are compiled apart, so types are given by the caller. */
export async function pageModule<T>(path: string): Promise<T> {
  return (await import(new URL(`../console-page/${path}.js`, import.meta.url).href)) as T;
}
