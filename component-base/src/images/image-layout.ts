import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ArchiveEntry, writeArchive } from "./archive.js";

/** The start of the process of an image. */
export interface ImageDescription {
  /** The name by which the image is found in its layout. */
  readonly name: string;
  /** The name under which container engines load it, `registry.example.com/shop:1`; none when absent. */
  readonly reference?: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  /** `USER:GROUP` as numbers. */
  readonly user: string;
  readonly ports: readonly number[];
  readonly workingDir: string;
  /** Variables of the environment besides PATH, as `NAME=VALUE`. */
  readonly env: readonly string[];
  /** The name of the signal that ends the process: `SIGTERM`. */
  readonly stopSignal: string;
}

/** The content of a layout. */
export interface ImageLayoutOptions {
  /** The entries of the layer that all images share. */
  readonly entries: Iterable<ArchiveEntry>;
  readonly images: readonly ImageDescription[];
  /** System and architecture by the names of Go: `linux-amd64`. */
  readonly platform: string;
  readonly version: string;
  /** The time of everything in seconds since 1970. */
  readonly time: number;
  /** The command that has made the images, for their history. */
  readonly createdBy: string;
}

/** A reference of a layout to one of its files, by OCI's image specification. */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:` and the digest in hexadecimal. */
  readonly digest: string;
  /** The size in bytes. */
  readonly size: number;
}

/** An image that was read from a layout. */
export interface ReadImage {
  /** The configuration by OCI's image specification. */
  readonly config: ImageConfig;
  /** The layers, as they are stored. */
  readonly layers: readonly Buffer[];
}

/** The members of an image's configuration that are written here. */
export interface ImageConfig {
  readonly created: string;
  readonly architecture: string;
  readonly os: string;
  readonly config: {
    readonly User: string;
    readonly ExposedPorts?: Readonly<Record<string, object>>;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly WorkingDir: string;
    readonly StopSignal: string;
    readonly Labels: Readonly<Record<string, string>>;
  };
  readonly rootfs: { readonly type: "layers"; readonly diff_ids: readonly string[] };
  readonly history: readonly { readonly created: string; readonly created_by: string }[];
}

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};

const refName = "org.opencontainers.image.ref.name";
/** The annotation by which containerd, and thereby Docker and kind, name an image that they load. */
const loadedName = "io.containerd.image.name";

/**
 * Writes images as an OCI image layout into `folder`: one layer with everything, and a manifest for each image. Resolves to
 * the descriptors of the manifests by the names of the images.
 */
export async function writeImageLayout(
  folder: string,
  { entries, images, platform, version, time, createdBy }: ImageLayoutOptions,
): Promise<ReadonlyMap<string, Descriptor>> {
  const blobs = join(folder, "blobs", "sha256");
  await mkdir(blobs, { recursive: true });
  const draft = join(folder, "layer");
  const { sha256, unpackedSha256, size } = await writeArchive(draft, entries, time);
  await rename(draft, join(blobs, sha256));
  const layer = { mediaType: mediaTypes.layer, digest: `sha256:${sha256}`, size };
  const created = new Date(time * 1000).toISOString().replace(".000Z", "Z");
  const [os = "", architecture = ""] = platform.split("-");
  const described = new Map<string, Descriptor>();
  for (const image of images) {
    const config: ImageConfig = {
      created,
      architecture,
      os,
      config: configOf(image, version),
      rootfs: { type: "layers", diff_ids: [`sha256:${unpackedSha256}`] },
      history: [{ created, created_by: createdBy }],
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: await writeBlob(blobs, mediaTypes.config, config),
      layers: [layer],
    };
    described.set(image.name, await writeBlob(blobs, mediaTypes.manifest, manifest));
  }
  const manifests = images.map(({ name, reference }) => ({
    ...described.get(name),
    platform: { architecture, os },
    annotations: { [refName]: name, ...(reference !== undefined && { [loadedName]: reference }) },
  }));
  await writeJson(join(folder, "index.json"), { schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  await writeJson(join(folder, "oci-layout"), { imageLayoutVersion: "1.0.0" });
  return described;
}

function configOf(
  { name, entrypoint, cmd, user, ports, workingDir, env, stopSignal }: ImageDescription,
  version: string,
): ImageConfig["config"] {
  return {
    User: user,
    ...(ports.length > 0 && { ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])) }),
    Env: ["PATH=/usr/local/bin:/usr/bin:/bin", ...env],
    Entrypoint: entrypoint,
    Cmd: cmd,
    WorkingDir: workingDir,
    StopSignal: stopSignal,
    Labels: { "org.opencontainers.image.title": name, "org.opencontainers.image.version": version },
  };
}

async function writeBlob(blobs: string, mediaType: string, value: object): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = createHash("sha256").update(bytes).digest("hex");
  await writeFile(join(blobs, digest), bytes);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
}

function writeJson(path: string, value: object): Promise<void> {
  return writeFile(path, JSON.stringify(value));
}

/** Reads a layout back: its images by name. Rejects where a blob is not what its digest and size say. */
export async function readImageLayout(folder: string): Promise<ReadonlyMap<string, ReadImage>> {
  const read = async ({ digest, size }: Descriptor): Promise<Buffer> => {
    const [algorithm = "", hex = ""] = digest.split(":");
    const bytes = await readFile(join(folder, "blobs", algorithm, hex));
    if (bytes.length !== size || createHash(algorithm).update(bytes).digest("hex") !== hex) {
      throw new Error(`${folder}: the blob ${digest} is not what its digest and size say`);
    }
    return bytes;
  };
  const parse = async <T>(descriptor: Descriptor): Promise<T> => JSON.parse((await read(descriptor)).toString());
  const index: Index = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
  const images = new Map<string, ReadImage>();
  for (const descriptor of index.manifests) {
    const manifest = await parse<Manifest>(descriptor);
    const config = await parse<ImageConfig>(manifest.config);
    const layers = await Promise.all(manifest.layers.map(read));
    images.set(descriptor.annotations[refName] ?? "", { config, layers });
  }
  return images;
}

interface Index {
  readonly manifests: readonly (Descriptor & { readonly annotations: Readonly<Record<string, string>> })[];
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}
