import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import {
  DocumentError,
  listDocumentFiles,
  readObjects,
  type SourceDocument,
} from "@gatehouse/component-base/manifests";
import { problemAt } from "@gatehouse/component-base/problems";
import { typesOfDefinition } from "../types/types-of-definition.js";

/**
 * The command `gatehouse-admission types FILE`, which prints TypeScript types of custom kinds, from their definitions.
 */
export const typesCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission types",
      operands: ["FILE"],
      summary: "Prints TypeScript interfaces for the kinds of the CustomResourceDefinitions in a file or folder.",
      flags: defineFlags({}),
    };
    const line = parseArguments(form, argv, io);
    const [operand] = line?.operands ?? [];
    if (line === undefined || operand === undefined) {
      return 0;
    }
    const files = await listDocumentFiles(operand);
    const documents = (await Promise.all(files.map(readObjects))).flat();
    const definitions = documents.filter(({ content }) => content["kind"] === "CustomResourceDefinition");
    if (definitions.length === 0) {
      throw new ConfigurationError(operand, [problemAt("FILE", "holds no CustomResourceDefinition")]);
    }
    const [first = "", ...others] = definitions.map(typesOfDocument);
    io.print([first, ...others.map((text) => text.replace(/^import .*\n\n/, ""))].join("\n").trimEnd());
    return 0;
  },
};

function typesOfDocument({ file, line, content }: SourceDocument): string {
  try {
    return typesOfDefinition(content);
  } catch (error) {
    throw error instanceof TypeError ? new DocumentError(file, line, error.message) : error;
  }
}
