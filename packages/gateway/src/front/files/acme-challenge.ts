// Responds to HTTP-01 challenges (RFC 8555 §8.3) with files that the control plane writes below DATA_DIR/.well-known.
import { constants, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import { sendText } from '../http/failure-response.ts';
import { maxChallengeBytes } from '../limits/front-limits.ts';

const prefix = '/.well-known/acme-challenge/';
/** base64url (RFC 8555). Without dots and slashes, the name cannot leave the folder. */
const token = /^[\w-]{1,256}$/;

export async function serveChallenge(dataDir: string, pathname: string, response: ServerResponse): Promise<void> {
  const name = pathname.slice(prefix.length);
  const text = token.test(name) ? await readChallenge(join(dataDir, prefix, name)) : undefined;
  if (text === undefined) {
    sendText(response, 404, 'No such challenge.');
    return;
  }
  response.setHeader('Cache-Control', 'no-cache, max-age=0');
  response.setHeader('Content-Type', 'text/plain');
  response.end(text);
}

async function readChallenge(path: string): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxChallengeBytes));
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (isHandleShortage(error)) throw error;
    return undefined;
  }
}
