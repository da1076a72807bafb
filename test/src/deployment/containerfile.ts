import { DockerfileParser, type Instruction, JSONInstruction } from "dockerfile-ast";

/** The user, port and command of an image. */
export interface ContainerImage {
  readonly user: string | undefined;
  readonly port: number | undefined;
  readonly stopSignal: string | undefined;
  /** Program and arguments, in the form that needs no shell. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  /** Folders that are made for the user. */
  readonly ownFolders: readonly string[];
}

/** The images of a container file whose stages begin with that of the name `base`, by the names of their stages. */
export function readContainerfile(text: string, base: string): ReadonlyMap<string, ContainerImage> {
  const stages = new Map<string, Instruction[]>();
  const images = new Map<string, ContainerImage>();
  let stage: Instruction[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === "FROM") {
      const [from = "", , name = ""] = wordsOf(instruction);
      // What a stage builds on holds for it, too.
      stage = [...(stages.get(from) ?? [])];
      stages.set(name, stage);
    }
    stage.push(instruction);
  }
  for (const [name, instructions] of stages) {
    const from = instructions.findLast((instruction) => instruction.getKeyword() === "FROM");
    if (from !== undefined && wordsOf(from)[0] === base) {
      images.set(name, describeImage(instructions));
    }
  }
  return images;
}

function describeImage(instructions: readonly Instruction[]): ContainerImage {
  const last = (keyword: string) => instructions.findLast((instruction) => instruction.getKeyword() === keyword);
  const text = (keyword: string): string | undefined => last(keyword)?.getArgumentsContent() ?? undefined;
  const port = text("EXPOSE");
  return {
    user: text("USER"),
    port: port === undefined ? undefined : Number(port),
    stopSignal: text("STOPSIGNAL"),
    command: [...stringsOf(last("ENTRYPOINT")), ...stringsOf(last("CMD"))],
    healthCheck: JSON.parse(/\bCMD (\[.*\])$/.exec(text("HEALTHCHECK") ?? "")?.[1] ?? "[]") as string[],
    ownFolders: instructions
      .filter((instruction) => instruction.getKeyword() === "RUN" && wordsOf(instruction)[0] === "install")
      .flatMap((instruction) => wordsOf(instruction).slice(1))
      .filter((word) => !word.startsWith("--")),
  };
}

function wordsOf(instruction: Instruction): string[] {
  return instruction.getArguments().map((argument) => argument.getValue());
}

function stringsOf(instruction: Instruction | undefined): string[] {
  if (!(instruction instanceof JSONInstruction) || instruction.getOpeningBracket() === null) {
    throw new Error(`needs a shell: ${instruction?.getArgumentsContent()}`);
  }
  return instruction.getJSONStrings().map((argument) => JSON.parse(argument.getValue()) as string);
}
