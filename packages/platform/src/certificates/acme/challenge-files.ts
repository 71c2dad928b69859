// Stores responses to the HTTP-01 challenge as files. The gateway serves the files below /.well-known/acme-challenge/.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** base64url (RFC 8555 §8.3), so that a token cannot point outside the folder. */
const tokenForm = /^[\w-]{1,256}$/;

export interface ChallengeFiles {
  put(token: string, content: string): Promise<void>;
  remove(token: string): Promise<void>;
}

export function createChallengeFiles(dataDir: string): ChallengeFiles {
  const folder = join(dataDir, '.well-known', 'acme-challenge');
  const pathOf = (token: string) => {
    if (!tokenForm.test(token)) throw new Error('the certificate authority sent a token that is not a valid file name');
    return join(folder, token);
  };
  return {
    async put(token, content) {
      await mkdir(folder, { recursive: true });
      await writeFile(pathOf(token), content, { mode: 0o644 });
    },
    remove: (token) => rm(pathOf(token), { force: true }),
  };
}
