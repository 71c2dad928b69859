// Reads the body of a WebRTC request, with limits for its size and time.
import type { IncomingMessage } from 'node:http';
import { maxOfferBytes } from '@srs-stack/media/protocols/sdp/sdp-lines.ts';

/** Maximum size of the body, bytes. The older calls send the offer as a JSON string, in which a line end has twice as many characters. */
export const maxRtcBodyBytes = { sdp: maxOfferBytes, json: 2 * maxOfferBytes } as const;
/** Time limit for the body, milliseconds. An offer of 10 KB takes two seconds at 40 kbps. */
export const rtcBodyTimeoutMs = 10_000;

export type RtcBody =
  | { readonly kind: 'whole'; readonly text: string }
  /** The peer has disconnected before the end of the body: no response is possible. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'too-slow' };

/** Reads the body. Never rejects. Aborting `stop` gives `too-slow`. After `too-long` and `too-slow`, respond and close the connection. */
export function readRtcBody(request: IncomingMessage, maxBytes: number, stop: AbortSignal): Promise<RtcBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve({ kind: 'too-long' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const finish = (body: RtcBody): void => {
      clearTimeout(deadline);
      stop.removeEventListener('abort', giveUp);
      request.off('data', onData);
      // Keeps reading: if the connection breaks later, an unread request would emit an error without a listener.
      request.resume();
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes > maxBytes) finish({ kind: 'too-long' });
    };
    const giveUp = (): void => finish({ kind: 'too-slow' });
    const deadline = setTimeout(giveUp, rtcBodyTimeoutMs);
    stop.addEventListener('abort', giveUp, { once: true });
    request.on('data', onData);
    request.on('error', () => finish({ kind: 'gone' }));
    request.once('end', () => finish({ kind: 'whole', text: Buffer.concat(chunks).toString('utf8') }));
    request.once('close', () => finish({ kind: 'gone' }));
  });
}
