// Reads the session token of a form before authentication, with limits on number, time and bytes. Stores nothing and calls no other module
// before the token is found. Returns the read bytes to the request, so that the body stays complete.
import type { IncomingMessage } from 'node:http';
import { AppError, because } from '@srs-stack/contract';
import { readFormStart } from './form-start.ts';

/** Bytes in which the token must be found. Tokens of this server have about 200. */
const maxFormStartBytes = 8 * 1024;
/** Timeout from the headers to the token, milliseconds. Browsers send both together. */
const formStartMs = 5_000;
/** Maximum number of chunks before the token. Every chunk causes another parse, and no client sends single bytes. */
const maxFormPieces = 64;
/** Maximum number of forms that wait for their token. Above this, the longest-waiting form is refused. */
const maxWaitingForms = 8;

export interface FormTokens {
  /** Returns the field `token`. Throws `tokenInvalid`, `bodyTooSlow`, `serverBusy` or `uploadIncomplete`. */
  read(request: IncomingMessage, boundary: string): Promise<string>;
  waiting(): number;
}

export function createFormTokens(limits: { startMs?: number } = {}): FormTokens {
  const { startMs = formStartMs } = limits;
  /** The longest-waiting form is first. */
  const giveUps = new Set<() => void>();
  return {
    waiting: () => giveUps.size,
    read: (request, boundary) =>
      new Promise((resolve, reject) => {
        const pieces: Buffer[] = [];
        const stop = () => {
          clearTimeout(timer);
          giveUps.delete(giveUp);
          request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
        };
        const refuse = (error: AppError) => {
          stop();
          // Discards further data from the client, so that the client can read the response.
          request.on('error', () => undefined).resume();
          reject(error);
        };
        const onEnd = () => refuse(new AppError('tokenInvalid', because('session.missing')));
        const onClose = () => refuse(new AppError('uploadIncomplete', because('upload.cut')));
        const giveUp = () => refuse(new AppError('serverBusy'));
        const onData = (chunk: Buffer) => {
          pieces.push(chunk);
          const start = Buffer.concat(pieces);
          // Parses only up to the limit, because the rest of a large chunk belongs to the file.
          const found = readFormStart(start.subarray(0, maxFormStartBytes), boundary);
          const mayContinue = start.length < maxFormStartBytes && pieces.length < maxFormPieces;
          if (found.kind === 'incomplete' && mayContinue) return;
          if (found.kind !== 'token') return onEnd();
          stop();
          request.pause();
          request.unshift(start);
          resolve(found.token);
        };
        const timer = setTimeout(() => refuse(new AppError('bodyTooSlow')), startMs);
        giveUps.add(giveUp);
        request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
        const [oldest] = giveUps;
        if (giveUps.size > maxWaitingForms) oldest?.();
      }),
  };
}
