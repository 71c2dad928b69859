// Remembers usable programs, because querying FFmpeg's version takes a fifth of the supervisor's start. A program is checked again when its
// file changes.
import { accessSync, constants, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface ProvenPrograms {
  /** Whether all commands were found usable, and their files are unchanged since. */
  isProven(commands: readonly string[]): boolean;
  remember(commands: readonly string[]): void;
}

/**
 * @param file remembered programs. A missing or damaged file means that every program is checked. Without write access, every start checks
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
        // If the folder is not writable, the next start checks the programs again.
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

/** Path and fingerprint of a command's file; undefined if no folder of the search path contains the command. */
function fileOf(command: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    try {
      const path = realpathSync(join(folder, command));
      accessSync(path, constants.X_OK);
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      return [path, dev, ino, size, mtimeNs, ctimeNs].join(':');
    } catch {}
  }
  return undefined;
}
