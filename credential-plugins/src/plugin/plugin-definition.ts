import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import type { CredentialSource } from "./credential-source.js";

/** Definition of a credential plugin: its flags, and how credentials are obtained. The rest is common to all. */
export interface CredentialPluginDefinition<T extends FlagTable> {
  /** Name of the program, and of its folder in the cache. */
  readonly name: string;
  /** One sentence for --help. */
  readonly summary: string;
  /** Version of the plugin, for --version: `1.0.0`. */
  readonly version: string;
  readonly flags: T;
  /** Hint that clients print when they cannot find the program; `setup` writes it into the kubeconfig. */
  readonly installHint?: string;
  /** Checks what the flags say together. Throws ConfigurationError with all problems. No calls and no waiting yet. */
  configure(values: FlagValues<T>, env: Readonly<Record<string, string | undefined>>): Promise<CredentialSource>;
}
