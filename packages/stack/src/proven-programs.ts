// Remembers programs that were checked and found usable, because querying FFmpeg's version takes a fifth of the supervisor's start. A
// program is checked again when its file changes.
import { accessSync, constants, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface ProvenPrograms {
  /** Whether the files of all commands are unchanged since they were found usable. */
  isProven(commands: readonly string[]): boolean;
  remember(commands: readonly string[]): void;
}

/**
 * @param file stores the programs. If it is missing or damaged, every program is checked again; without write access, every start checks
 * all programs.
 */
export function openProvenPrograms(file: string, searchPath = process.env.PATH ?? ''): ProvenPrograms {
  const proven = readProven(file);
  return {
    isProven: (commands) =>
      commands.every((name) => proven[name] !== undefined && proven[name] === fileOf(name, searchPath)),
    remember(commands) {
      for (const name of commands) {
        const found = fileOf(name, searchPath);
        if (found !== undefined) proven[name] = found;
      }
      try {
        writeFileSync(file, `${JSON.stringify(proven)}\n`, { mode: 0o600 });
      } catch {
        // The folder is not writable, so the next start checks the programs again.
      }
    },
  };
}

function readProven(file: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}

/** Path and fingerprint of the file that a command runs; undefined if the search path has no such file. */
function fileOf(command: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    try {
      const path = realpathSync(join(folder, command));
      accessSync(path, constants.X_OK);
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      return [path, dev, ino, size, mtimeNs, ctimeNs].join(':');
    } catch {
      // The command is not in this folder of the search path.
    }
  }
  return undefined;
}
