// Reads deploy/containers/Containerfile, which says how each process is started, so that images that are made without a
// container engine start it the same way.

/** The stage that the stages of processes begin with, and what it sets for all of them. */
const commonStage = "process";

/**
 * Returns the images of the processes: `{ name, entrypoint, cmd, user, ports, workingDir, env, stopSignal, folders }`, where
 * `folders` are those that belong to the user of the process.
 */
export function readContainerfile(text) {
  const stages = stagesOf(text);
  const common = stages.find(({ name }) => name === commonStage);
  return stages.filter(({ base }) => base === commonStage).map((stage) => imageOf(stage, common));
}

function imageOf({ name, lines }, common) {
  const all = [...common.lines, ...lines];
  const last = (instruction) => all.findLast((line) => line.instruction === instruction)?.value;
  const words = (instruction) => JSON.parse(last(instruction) ?? "[]");
  return {
    name,
    entrypoint: words("ENTRYPOINT"),
    cmd: words("CMD"),
    user: last("USER"),
    ports: all.filter(({ instruction }) => instruction === "EXPOSE").map(({ value }) => Number(value)),
    workingDir: last("WORKDIR"),
    env: all.filter(({ instruction }) => instruction === "ENV").map(({ value }) => value),
    stopSignal: last("STOPSIGNAL"),
    folders: foldersOf(lines, last("WORKDIR")),
  };
}

/** Returns the folders that `RUN install --directory` makes. */
function foldersOf(lines, workingDir) {
  return lines
    .filter(({ instruction, value }) => instruction === "RUN" && value.startsWith("install --directory "))
    .flatMap(({ value }) => value.split(/\s+/).slice(1))
    .filter((word) => !word.startsWith("--"))
    .map((folder) => (folder.startsWith("/") ? folder : `${workingDir}/${folder}`));
}

function stagesOf(text) {
  const stages = [];
  const joined = text.replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n/g, " ");
  for (const [, instruction, value] of joined.matchAll(/^([A-Z]+)\s+(.*)$/gm)) {
    if (instruction === "FROM") {
      const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(value) ?? [];
      stages.push({ base, name, lines: [] });
    } else {
      stages.at(-1)?.lines.push({ instruction, value: value.trim() });
    }
  }
  return stages;
}
