// Adds or removes a key in the authorized-keys file. All other bytes stay; the file is replaced atomically.
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, because } from '@srs-stack/contract';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { isComment, lineHasKey, type PublicKey, toLine } from './public-key.ts';

/** Maximum file size, bytes: hundreds of keys. A larger file is not an authorized-keys file. */
const maxFileBytes = 1024 * 1024;
/** Mode of a new file that SSH servers accept. */
const ownerReadWrite = 0o600;

export interface AuthorizedKeys {
  /** Whether the file contains the key, and the number of other keys. Throws `keyFileUnusable`. */
  look(key: PublicKey | undefined): Promise<{ granted: boolean; otherKeys: number }>;
  /** On error, throws `keyFileUnusable` and leaves the file unchanged. */
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

/** Adds the key as the last line, unless a line already contains the key. */
function withKey(text: string, key: PublicKey): string {
  if (text.split('\n').some((line) => lineHasKey(line, key))) return text;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${separator}${toLine(key)}\n`;
}

/** Removes every line with the key. Other lines stay unchanged, including comments and blank lines. */
function withoutKey(text: string, key: PublicKey): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !lineHasKey(line.replace(/\r?\n$/, ''), key))
    .join('');
}

/** Resolves a symbolic link: the link stays and its target is replaced. */
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

/** Replaces the file and keeps its mode and owner. A new file gets the owner of its folder. */
async function replace(file: string, text: string): Promise<void> {
  try {
    const before = await stat(file).catch(() => undefined);
    await writeFileAtomically(file, text, ownerReadWrite, async (next) => {
      if (before) await next.chmod(before.mode & 0o7777);
      const { uid, gid } = before ?? (await stat(dirname(file)));
      // SSH servers refuse a file of another owner. Only root can create such a file, and only root can set the owner.
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
