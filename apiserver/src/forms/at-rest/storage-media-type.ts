import { mediaTypes } from "@gatehouse/envelopes/names";

/** The media types in which built-in kinds can be stored, those of v1.29. */
export const storageMediaTypes = [mediaTypes.protobuf, mediaTypes.json, mediaTypes.yaml] as const;

/** A media type in which built-in kinds can be stored (`--storage-media-type`). */
export type StorageMediaType = (typeof storageMediaTypes)[number];
