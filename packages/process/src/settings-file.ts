// Reads `config/.env` of the data folder: settings that must survive, such as the admin password. The file takes precedence over the
// environment of the process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { StartRefusal } from './start-refusal.ts';

type Variables = Record<string, string>;

export function settingsFilePath(dataDir: string): string {
  return join(dataDir, 'config', '.env');
}

/**
 * Variables of the file and of the process, without empty values. The file takes precedence.
 * @throws StartRefusal when the file cannot be read.
 */
export function withSettingsFile(environment: NodeJS.Dict<string>, dataDir: string): Variables {
  return { ...definedOnly(environment), ...readSettingsFile(dataDir) };
}

function readSettingsFile(dataDir: string): Variables {
  const path = settingsFilePath(dataDir);
  try {
    return definedOnly(parseEnv(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StartRefusal(`The settings file ${path} cannot be read: ${(error as Error).message}.`);
  }
}

function definedOnly(environment: NodeJS.Dict<string>): Variables {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
