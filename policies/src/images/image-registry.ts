/** The registry of images that name none. */
export const defaultRegistry = "docker.io";

/** Hosts that serve the images of docker.io, as far as they are known. */
const dockerHubHosts: readonly string[] = [
  defaultRegistry,
  "index.docker.io",
  "registry-1.docker.io",
  "registry.hub.docker.com",
];

const defaultPort = /:0*443$/;

/**
 * Returns the one spelling of a registry: in lower case, without the port that runtimes take anyway, and docker.io for all hosts
 * of Docker Hub. Other ports stay: port 80 too is another service, which runtimes call without TLS or not at all.
 */
export function normalRegistry(registry: string): string {
  const [, host = "", port = ""] = /^(.*?)((?::[0-9]*)?)$/s.exec(registry.toLowerCase().replace(defaultPort, "")) ?? [];
  const normalHost = dockerHubHosts.includes(host) ? defaultRegistry : normalAddress(host);
  return `${normalHost}${port.replace(/^:0+(?=\d)/, ":")}`;
}

/** Returns the one spelling of a pattern of registries, in which `*` stands for any text. */
export function normalRegistryPattern(pattern: string): string {
  // Without its port a pattern that ends in a star would fit any port. It is refused where patterns are checked.
  return hasHiddenPort(pattern) ? pattern.toLowerCase() : normalRegistry(pattern);
}

/** Tells whether a pattern has the default port behind a star: it fits no registry, since none is left with that port. */
export function hasHiddenPort(pattern: string): boolean {
  return /\*:0*443$/.test(pattern);
}

/** Returns the names by which patterns may know a registry. */
export function namesOfRegistry(registry: string): readonly string[] {
  return registry === defaultRegistry ? dockerHubHosts : [registry];
}

/** Tells whether a registry is one of Docker Hub's hosts with a port that it does not serve images on. */
export function isDockerHubOnOtherPort(registry: string): boolean {
  return registry.startsWith(`${defaultRegistry}:`);
}

/** Returns an IPv6 address, which has many spellings, in its short form. */
function normalAddress(host: string): string {
  return /^\[[0-9a-f:.]+\]$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
}
