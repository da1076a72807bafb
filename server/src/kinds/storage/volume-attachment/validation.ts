import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  immutable,
  isSameMessage,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer, goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateCsiDriverName } from "../../../validation/volumes/csi.js";
import { validatePersistentVolumeSpec } from "../../../validation/volumes/persistent-volume-spec.js";

const specMessage = "k8s.io.api.storage.v1.VolumeAttachmentSpec";
const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
const sourcePath = specPath.child("source");

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;

/** Rules of VolumeAttachment, whose spec does not change. */
export const volumeAttachmentValidation: KindValidation = {
  create(attachment, errors) {
    validateVolumeAttachment(attachment, errors);
    validateNames(objectAt(attachment, "spec"), errors);
  },
  update(attachment, old, errors) {
    // v1.29 validates the attachment twice.
    errors.recheckMetadata("object");
    validateVolumeAttachment(attachment, errors);
    errors.recheckMetadata("object");
    validateVolumeAttachment(attachment, errors);
    const spec = objectAt(attachment, "spec");
    if (!isSameMessage(specMessage, spec, objectAt(old, "spec"))) {
      errors.invalidShown(specPath, goSpec(spec), immutable);
    }
  },
};

function validateVolumeAttachment(attachment: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(attachment, "spec");
  validateRequiredText(textAt(spec, "attacher"), specPath.child("attacher"), errors);
  validateSource(objectAt(spec, "source"), errors);
  validateFormat(textAt(spec, "nodeName"), validateSubdomainName, specPath.child("nodeName"), errors);
  validateStatus(objectAt(attachment, "status"), errors);
}

function validateSource(source: JsonObject, errors: FieldErrors): void {
  const detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const isInline = isSet(source, "inlineVolumeSpec");
  const isNamed = isSet(source, "persistentVolumeName");
  if (!isInline && !isNamed) {
    errors.required(sourcePath, detail);
  } else if (isInline && isNamed) {
    errors.forbidden(sourcePath, detail);
  } else if (isNamed) {
    const name = textAt(source, "persistentVolumeName");
    const path = sourcePath.child("persistentVolumeName");
    validateRequiredText(name, path, errors, "must specify non empty persistentVolumeName");
  } else {
    const path = sourcePath.child("inlineVolumeSpec");
    const options = { volumeName: "", isInline: true, checksAttributesClass: false };
    validatePersistentVolumeSpec(objectAt(source, "inlineVolumeSpec"), path, errors, options);
  }
}

function validateStatus(status: JsonObject, errors: FieldErrors): void {
  const metadata = Object.entries(objectAt(status, "attachmentMetadata"));
  const bytes = metadata.reduce((sum, entry) => sum + Buffer.byteLength(entry.map(String).join("")), 0);
  if (bytes > maxMetadataBytes) {
    errors.tooLong(statusPath.child("attachmentMetadata"), maxMetadataBytes);
  }
  for (const member of ["attachError", "detachError"]) {
    if (Buffer.byteLength(textAt(status, member, "message")) > maxMessageBytes) {
      // v1.29's message names another limit than the one it enforces.
      errors.tooLong(statusPath.child(member).child("message"), maxMetadataBytes);
    }
  }
}

/** Validates names of new attachments only: stored ones may have come through v1beta1, which did not. */
function validateNames(spec: JsonObject, errors: FieldErrors): void {
  validateCsiDriverName(textAt(spec, "attacher"), specPath.child("attacher"), errors);
  if (isSet(spec, "source", "persistentVolumeName")) {
    const path = sourcePath.child("persistentVolumeName");
    validateFormat(textAt(spec, "source", "persistentVolumeName"), validateSubdomainName, path, errors);
  }
}

function goSpec(spec: JsonObject): string {
  const source = objectAt(spec, "source");
  return goLiteral("storage.VolumeAttachmentSpec", {
    Attacher: goQuote(textAt(spec, "attacher")),
    Source: goLiteral("storage.VolumeAttachmentSource", {
      PersistentVolumeName: goPointer("string", source["persistentVolumeName"]),
      InlineVolumeSpec: goPointer("core.PersistentVolumeSpec", source["inlineVolumeSpec"]),
    }),
    NodeName: goQuote(textAt(spec, "nodeName")),
  });
}
