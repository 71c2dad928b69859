// Converts refusals to RTSP responses: a status, and the reason as text.
import type { RtspResponse } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import type { PlayRefusal } from '../gate/play-gate.ts';
import { rtspRealm } from './digest-nonce.ts';

const statusOf: Partial<Record<PlayRefusal['reason'], number>> = {
  'stream-not-found': 404,
  'name-invalid': 400,
  'protocol-error': 400,
  'codec-unsupported': 415,
  'limit-reached': 453,
  'control-plane-away': 503,
  draining: 503,
  'switched-off': 503,
};

/** Reasons that a client can resolve with the right secret or link. */
const credentialReasons: readonly PlayRefusal['reason'][] = [
  'publish-secret-wrong',
  'link-missing',
  'link-wrong',
  'link-expired',
  'password-missing',
];

export function isCredentialReason(reason: PlayRefusal['reason']): boolean {
  return credentialReasons.includes(reason);
}

/** `challenges`: values of `WWW-Authenticate`, sent before the Basic challenge. */
export function toRtspRefusal(
  reason: PlayRefusal['reason'],
  detail: string,
  challenges: readonly string[] = [],
): RtspResponse {
  if (isCredentialReason(reason)) return unauthorized(`${reason}: ${detail}`, challenges);
  return textResponse(statusOf[reason] ?? 403, `${reason}: ${detail}`);
}

/** Response 401: the client may retry with a user name and password. */
export function unauthorized(text: string, challenges: readonly string[]): RtspResponse {
  const response = textResponse(401, text);
  return {
    ...response,
    headers: { ...response.headers, 'WWW-Authenticate': [...challenges, `Basic realm="${rtspRealm}"`] },
  };
}

export function textResponse(status: number, text: string): RtspResponse {
  return { status, headers: { 'Content-Type': 'text/plain' }, body: `${text}\n` };
}
