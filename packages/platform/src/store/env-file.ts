// `config/.env`: the operator's settings file. Only the line of the password is written; every other line stays unchanged.
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { AppError, because } from '@srs-stack/contract';
import { removeAbandonedWrites, writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { startRefusalOf } from '@srs-stack/process/start-refusal.ts';

const passwordVariable = 'MGMT_PASSWORD';
const ownerReadWrite = 0o600;
/** Characters that need no quotes in any parser of such files. */
const plainValue = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
/** Values that parsers accept without quotes: no leading quote, no start of a comment. */
const bareValue = /^[^'"`\s#\\][^#]*(?<!\s)$/;
const assignment = new RegExp(`^\\s*(?:export\\s+)?${passwordVariable}\\s*=`);
/** Quotes whose content every parser takes literally; in double quotes, only content without a backslash. */
const literalQuotes = ["'", '"', '`'];

export interface EnvFile {
  /** The password in the file; undefined if there is none. Throws StartRefusal when the file cannot be read. */
  readPassword(): Promise<string | undefined>;
  /** Replaces or adds the password. Throws `passwordUnusable` for one that the file format cannot represent. */
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

/** The file text with the password set. The result is parsed again, so that no value can escape its line. */
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
