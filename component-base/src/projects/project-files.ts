import type { ProjectPackages } from "./project-packages.js";

/** Returns the package.json of a project in TypeScript. */
export function projectManifest(
  name: string,
  scripts: Readonly<Record<string, string>>,
  { dependencies, devDependencies }: ProjectPackages,
): string {
  const content = {
    name,
    private: true,
    version: "0.1.0",
    type: "module",
    scripts,
    dependencies,
    devDependencies: { ...devDependencies, typescript: "^5.6.0 || ^7.0.0", "@types/node": "^20.0.0" },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** The tsconfig.json of a project whose sources are in `src/` and are compiled to `dist/`. */
export const projectTsconfig = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "NodeNext",
    "moduleResolution": "NodeNext",
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist",
    "strict": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`;
