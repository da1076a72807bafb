import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type ContainerImage, readContainerfile } from "./containerfile.js";
import { readUnitFile, type UnitFile } from "./unit-file.js";

/** The workspace `deploy`, whose files people deploy with. */
export const deployFolder: string = fileURLToPath(new URL("..", import.meta.resolve("@gatehouse/deploy"))).replace(
  /\/$/,
  "",
);

/** The processes there are, without the `gatehouse-` of their programs, and the ports on which they serve. */
export const servicePorts = {
  apiserver: 6443,
  admission: 8443,
  "image-review": 8444,
  authorization: 8445,
  "token-review": 8446,
  "audit-sink": 8447,
} as const;

/** One of the processes. */
export type ServiceName = keyof typeof servicePorts;

/** All of them. */
export const serviceNames = Object.keys(servicePorts) as readonly ServiceName[];

/** Services with a state directory. */
export const statefulServices: readonly ServiceName[] = ["apiserver", "audit-sink"];

/** A container in the compose file. */
export interface ComposeService {
  readonly [setting: string]: unknown;
  readonly networks?: readonly string[];
  /** `source:target` or `source:target:ro`. */
  readonly volumes: readonly string[];
}

/** The compose file. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const text = (...path: readonly string[]): string => readFileSync(join(deployFolder, ...path), "utf8");

/** The images, by the name of their program. */
export function readImages(): ReadonlyMap<string, ContainerImage> {
  return readContainerfile(text("containers", "Containerfile"), "process");
}

/** The compose file, with its anchors and merge keys put in. */
export function readComposeFile(): ComposeFile {
  return parse(text("compose", "compose.yaml"), { merge: true }) as ComposeFile;
}

/** The unit of a process, with what is dropped into all of them. */
export function readUnit(name: ServiceName): UnitFile {
  const folder = "gatehouse-.service.d";
  const dropIns = readdirSync(join(deployFolder, "systemd", folder)).map((file) => text("systemd", folder, file));
  return readUnitFile(text("systemd", `gatehouse-${name}.service`), ...dropIns);
}

/** Program and arguments of a unit. */
export function execStartOf(unit: UnitFile): readonly string[] {
  const line = unit.value("Service", "ExecStart") ?? "";
  if (/["'$%\\]/.test(line)) {
    throw new Error(`systemd would change this line: ${line}`);
  }
  return line.split(/ +/);
}
