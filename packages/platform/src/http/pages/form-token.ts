// Reads the session token out of a form whose sender nobody knows yet: so many at once, for so long, so many bytes. Nothing is written
// and nothing else is asked before it is found; what was read goes back to the body.
import type { IncomingMessage } from 'node:http';
import { AppError, because } from '@srs-stack/contract';
import { readFormStart } from './form-start.ts';

/** Bytes of a form before its file, which must hold the token: ours have about 200. */
const maxFormStartBytes = 8 * 1024;
/** The token must be there this long after the headers, milliseconds: a browser sends it in the same breath. */
const formStartMs = 5_000;
/** Pieces the beginning may come in: each is a look at all of it, and no client sends it byte by byte. */
const maxFormPieces = 64;
/** Forms that are waited for: beyond it the oldest is given up, since its token should have come long ago. */
const maxWaitingForms = 8;

export interface FormTokens {
  /** The value of the field `token`. Throws `tokenInvalid`, `bodyTooSlow`, `serverBusy` or `uploadIncomplete`. */
  read(request: IncomingMessage, boundary: string): Promise<string>;
  /** Forms whose token has not come yet. */
  waiting(): number;
}

export function createFormTokens(limits: { startMs?: number } = {}): FormTokens {
  const { startMs = formStartMs } = limits;
  /** The one that has waited for longest comes first. */
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
          // What the client still sends is thrown away, so that it can read the answer.
          request.on('error', () => undefined).resume();
          reject(error);
        };
        const onEnd = () => refuse(new AppError('tokenInvalid', because('session.missing')));
        const onClose = () => refuse(new AppError('uploadIncomplete', because('upload.cut')));
        const giveUp = () => refuse(new AppError('serverBusy'));
        const onData = (chunk: Buffer) => {
          pieces.push(chunk);
          const start = Buffer.concat(pieces);
          // Never more than the limit is looked at: the rest of a large piece is the file.
          const found = readFormStart(start.subarray(0, maxFormStartBytes), boundary);
          const mayGoOn = start.length < maxFormStartBytes && pieces.length < maxFormPieces;
          if (found.kind === 'incomplete' && mayGoOn) return;
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
