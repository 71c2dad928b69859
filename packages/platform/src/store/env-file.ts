// `config/.env`: the operator's settings. Only the password line is ever written; all other lines stay unchanged.
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { AppError, because } from '@srs-stack/contract';
import { removeAbandonedWrites, writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { startRefusalOf } from '@srs-stack/process/start-refusal.ts';

const passwordVariable = 'MGMT_PASSWORD';
const ownerReadWrite = 0o600;
/** Characters that need no quotes in any .env parser. */
const plainValue = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
/** Values that .env parsers accept without quotes: no leading quote and no comment sign. */
const bareValue = /^[^'"`\s#\\][^#]*(?<!\s)$/;
const assignment = new RegExp(`^\\s*(?:export\\s+)?${passwordVariable}\\s*=`);
/** Content in these quotes is literal for every .env parser. Double quotes are literal only without a backslash. */
const literalQuotes = ["'", '"', '`'];

export interface EnvFile {
  /** Undefined without a password. Throws StartRefusal if the file cannot be read. */
  readPassword(): Promise<string | undefined>;
  /** Replaces or adds the password. Throws `passwordUnusable` if the file format cannot represent the password. */
  writePassword(password: string): Promise<void>;
}

export function openEnvFile(path: string): EnvFile {
  return {
    async readPassword() {
      const text = await readText(path);
      await removeAbandonedWrites(path);
      return parseEnv(text)[passwordVariable];
    },
    async writePassword(password) {
      await writeFileAtomically(path, withPassword(await readText(path), password), ownerReadWrite);
    },
  };
}

/** Sets the password in the file text. Parses the result again, so that a password cannot inject other settings. */
export function withPassword(text: string, password: string): string {
  const line = `${passwordVariable}=${quote(password)}`;
  const lines = text.split('\n').filter((each) => !assignment.test(each));
  while (lines.at(-1)?.trim() === '') lines.pop();
  const result = [...lines, line, ''].join('\n');
  if (!isSameBesidesPassword(text, result, password)) {
    throw new AppError('passwordUnusable', because('password.file'));
  }
  return result;
}

function quote(value: string): string {
  if (/\p{Cc}/u.test(value)) throw new AppError('passwordUnusable', because('password.control-character'));
  if (plainValue.test(value)) return value;
  const mark = literalQuotes.find((each) => !value.includes(each) && !(each === '"' && value.includes('\\')));
  if (mark) return mark + value + mark;
  if (bareValue.test(value)) return value;
  throw new AppError('passwordUnusable', because('password.quotes'));
}

function isSameBesidesPassword(before: string, after: string, password: string): boolean {
  const expected = { ...parseEnv(before), [passwordVariable]: password };
  const actual: Record<string, string | undefined> = { ...parseEnv(after) };
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].every((name) => (expected as Record<string, string | undefined>)[name] === actual[name]);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw startRefusalOf(`The settings file ${path} cannot be read`, error);
  }
}
