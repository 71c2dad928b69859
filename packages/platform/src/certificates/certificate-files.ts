// Key and certificate files, which the gateway (and an nginx in front of it) reads. The store keeps a new pair until both files are
// written, so that the next start can complete an interrupted replacement.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeAbandonedWrites, writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';

export interface CertificatePair {
  readonly key: string;
  readonly crt: string;
}

const unfinishedDocument: DocumentType<CertificatePair> = {
  key: 'certificate-unfinished',
  schema: z.object({ key: z.string(), crt: z.string() }),
  empty: { key: '', crt: '' },
  secret: true,
};

const keyMode = 0o600;
const certificateMode = 0o644;

export interface CertificateFiles {
  /** Contents of the files; undefined for a missing file. */
  read(): Promise<{ key: string | undefined; crt: string | undefined }>;
  version(): Promise<string>;
  replace(pair: CertificatePair): Promise<void>;
  /** Completes a replacement that a crash interrupted. Removes partial files. */
  finishReplacement(): Promise<void>;
}

export function createCertificateFiles(configDir: string, store: Store): CertificateFiles {
  const keyPath = join(configDir, 'nginx.key');
  const crtPath = join(configDir, 'nginx.crt');
  const write = async ({ key, crt }: CertificatePair) => {
    await writeFileAtomically(keyPath, key, keyMode);
    await writeFileAtomically(crtPath, crt, certificateMode);
    await store.set(unfinishedDocument, unfinishedDocument.empty);
  };
  return {
    read: async () => ({ key: await readOptional(keyPath), crt: await readOptional(crtPath) }),
    version: async () => `${await versionOf(keyPath)} ${await versionOf(crtPath)}`,
    async replace({ key, crt }) {
      const pair = { key: `${key.trim()}\n`, crt: `${crt.trim()}\n` };
      await store.set(unfinishedDocument, pair);
      await write(pair);
    },
    async finishReplacement() {
      await removeAbandonedWrites(keyPath);
      await removeAbandonedWrites(crtPath);
      const unfinished = await store.get(unfinishedDocument);
      if (unfinished.key !== '') await write(unfinished);
    },
  };
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function versionOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.ino}:${found.size}:${found.mtimeMs}` : 'none';
}
