// The body of a WebRTC call: small, soon complete, or the peer is told why it was not taken.
import type { IncomingMessage } from 'node:http';
import { maxOfferBytes } from '@srs-stack/media/protocols/sdp/sdp-lines.ts';

/** Longest body, bytes: an offer; in the older calls as a text of JSON, which writes line ends with twice as many characters. */
export const maxRtcBodyBytes = { sdp: maxOfferBytes, json: 2 * maxOfferBytes } as const;
/** The body must be complete this long after its head, milliseconds: an offer is 10 KB, two seconds on a line of 40 kbps. */
export const rtcBodyTimeoutMs = 10_000;

export type RtcBody =
  | { readonly kind: 'whole'; readonly text: string }
  /** The peer closed its line before the end: nobody is there to be answered. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'too-slow' };

/** Never rejects; `stop` ends it as too slow. What comes after `too-long` and `too-slow` is thrown away: answer and close the connection. */
export function readRtcBody(request: IncomingMessage, maxBytes: number, stop: AbortSignal): Promise<RtcBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve({ kind: 'too-long' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const finish = (body: RtcBody): void => {
      clearTimeout(deadline);
      stop.removeEventListener('abort', giveUp);
      request.off('data', onData);
      // A line that breaks later is an error without a listener otherwise.
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
