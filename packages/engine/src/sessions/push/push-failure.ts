import type { PublishOutcome } from '@srs-stack/media/protocols/rtmp/publish-client.ts';
import type { PushFailure } from './push-status.ts';

/** A server that closes the connection during the TLS handshake gives no reason. Usually the port does not use TLS. */
export function failureBeforeOpen(failure: PushFailure, isTls: boolean): PushFailure {
  if (!isTls || failure.reason !== 'connection-closed') return failure;
  return { reason: 'tls-failed', detail: 'TLS_CLOSED: the connection was closed during the TLS handshake' };
}

/** Failure for a server that refused the publication or ended it. */
export function failureOfOutcome(outcome: Extract<PublishOutcome, { kind: 'refused' | 'unauthorized' }>): PushFailure {
  if (outcome.kind === 'unauthorized') return { reason: 'not-authorized', detail: outcome.description };
  const { code, description, step } = outcome;
  const detail = [code, description].filter((text) => text !== '').join(': ');
  return { reason: step === 'publishing' ? 'connection-closed' : 'publish-rejected', detail };
}
