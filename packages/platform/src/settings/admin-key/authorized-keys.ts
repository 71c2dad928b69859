// Adds or removes a key in the authorized-keys file of the configuration. Keeps every other byte and replaces the file atomically.
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, because } from '@srs-stack/contract';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { isComment, lineHasKey, type PublicKey, toLine } from './public-key.ts';

/** Largest file accepted, bytes: hundreds of keys. A larger file is not an authorized-keys file. */
const maxFileBytes = 1024 * 1024;
/** Mode of a new file that SSH servers accept. */
const ownerReadWrite = 0o600;

export interface AuthorizedKeys {
  /** Whether the file contains the key, and the number of others. Throws `keyFileUnusable`. */
  look(key: PublicKey | undefined): Promise<{ granted: boolean; otherKeys: number }>;
  /** Throws `keyFileUnusable` and leaves the file unchanged. */
  set(key: PublicKey, isGranted: boolean): Promise<void>;
}

export function openAuthorizedKeys(path: string): AuthorizedKeys {
  return {
    async look(key) {
      const { text } = await readKeys(path);
      const keys = text.split('\n').filter((line) => !isComment(line));
      const own = key ? keys.filter((line) => lineHasKey(line, key)) : [];
      return { granted: own.length > 0, otherKeys: keys.length - own.length };
    },
    async set(key, isGranted) {
      const { text, file } = await readKeys(path);
      const next = isGranted ? withKey(text, key) : withoutKey(text, key);
      if (next !== text) await replace(file, next);
    },
  };
}

/** Adds the key as the last line; leaves a file unchanged that contains it. Pure. */
function withKey(text: string, key: PublicKey): string {
  if (text.split('\n').some((line) => lineHasKey(line, key))) return text;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${separator}${toLine(key)}\n`;
}

/** Removes every line with the key; all other lines, including comments and blank ones, stay unchanged. Pure. */
function withoutKey(text: string, key: PublicKey): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !lineHasKey(line.replace(/\r?\n$/, ''), key))
    .join('');
}

/** Follows a link, so that its target is replaced and the link stays. */
async function readKeys(path: string): Promise<{ text: string; file: string }> {
  try {
    const file = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return path;
      throw error;
    });
    const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!facts) {
      await stat(dirname(file));
      return { text: '', file };
    }
    if (!facts.isFile() || facts.size > maxFileBytes) throw new Error('not a text file with SSH keys');
    const bytes = await readFile(file);
    const text = bytes.toString('utf8');
    if (text.includes('\0') || !Buffer.from(text).equals(bytes)) throw new Error('not a text file with SSH keys');
    return { text, file };
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Replaces the file. A new file gets the owner of its folder; an existing one keeps mode and owner. */
async function replace(file: string, text: string): Promise<void> {
  try {
    const before = await stat(file).catch(() => undefined);
    await writeFileAtomically(file, text, ownerReadWrite, async (next) => {
      if (before) await next.chmod(before.mode & 0o7777);
      const { uid, gid } = before ?? (await stat(dirname(file)));
      // The SSH server refuses a file of another owner. Only root can set the owner; files of other users have the right one already.
      if (process.getuid?.() === 0) await next.chown(uid, gid);
    });
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(path: string, error: unknown): AppError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new AppError('keyFileUnusable', because('ssh-key.file', { path, problem: code ?? message }), { cause: error });
}
