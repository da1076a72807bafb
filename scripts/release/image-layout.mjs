// Writes images of all processes as an OCI image layout: one layer with everything, and a manifest for each process.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeArchive } from "./archive.mjs";

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};

/**
 * Writes a layout into `folder`. `entries` are those of the layer, `images` what readContainerfile returns, `platform` is
 * `linux-amd64` or the like, `time` the time of everything in seconds.
 */
export async function writeImageLayout(folder, { entries, images, platform, version, time }) {
  const blobs = join(folder, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const draft = join(folder, "layer");
  const { sha256, unpackedSha256, size } = await writeArchive(draft, entries, time);
  renameSync(draft, join(blobs, sha256));
  const layer = { mediaType: mediaTypes.layer, digest: `sha256:${sha256}`, size };
  const created = new Date(time * 1000).toISOString().replace(".000Z", "Z");
  const [os, architecture] = platform.split("-");
  const manifests = images.map((image) => {
    const config = {
      created,
      architecture,
      os,
      config: configOf(image, version),
      rootfs: { type: "layers", diff_ids: [`sha256:${unpackedSha256}`] },
      history: [{ created, created_by: "npm run dist" }],
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: writeBlob(blobs, mediaTypes.config, config),
      layers: [layer],
    };
    return {
      ...writeBlob(blobs, mediaTypes.manifest, manifest),
      platform: { architecture, os },
      annotations: { "org.opencontainers.image.ref.name": image.name },
    };
  });
  writeJson(join(folder, "index.json"), { schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  writeJson(join(folder, "oci-layout"), { imageLayoutVersion: "1.0.0" });
}

function configOf({ name, entrypoint, cmd, user, ports, workingDir, env, stopSignal }, version) {
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

function writeBlob(blobs, mediaType, value) {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(blobs, digest), bytes);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
}

function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value));
}

/** Reads a layout back: the configuration and the layers of each image by name. Throws where a blob is not what its digest says. */
export function readImageLayout(folder) {
  const read = ({ digest, size }) => {
    const [algorithm, hex] = digest.split(":");
    const bytes = readFileSync(join(folder, "blobs", algorithm, hex));
    if (bytes.length !== size || createHash(algorithm).update(bytes).digest("hex") !== hex) {
      throw new Error(`${folder}: the blob ${digest} is not what its digest and size say`);
    }
    return bytes;
  };
  const { manifests } = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
  return Object.fromEntries(
    manifests.map((descriptor) => {
      const manifest = JSON.parse(read(descriptor));
      const image = { config: JSON.parse(read(manifest.config)), layers: manifest.layers.map(read) };
      return [descriptor.annotations["org.opencontainers.image.ref.name"], image];
    }),
  );
}
