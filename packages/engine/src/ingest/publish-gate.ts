// How every protocol lets a publisher in: name, free stream, permission, in this order; then the stream is claimed.

import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { PublicationOwner, PublishResult, StreamHub } from '../hub/stream-hub.ts';
import type { EnginePorts } from '../ports.ts';
import type { SessionInfo } from '../session-info.ts';

export interface PublishGate {
  readonly hub: StreamHub;
  readonly ports: Pick<EnginePorts, 'isValidStream' | 'authorizePublish' | 'onUnpublish'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/**
 * Asks and claims. A stream that is being sent is refused before the host is asked, so that the host never takes the
 * second publisher for the one that is live. Never rejects.
 */
export async function admitPublisher(
  session: SessionInfo,
  owner: PublicationOwner,
  gate: PublishGate,
): Promise<PublishResult> {
  const { hub, ports, clock } = gate;
  if (!ports.isValidStream(session)) {
    return { ok: false, reason: 'name-invalid', detail: 'the stream address has characters that are not allowed' };
  }
  await hub.whenPublishable(session, clock());
  if (hub.isSending(session, clock())) {
    return { ok: false, reason: 'stream-busy', detail: `${toStreamUrl(session)} is already being published` };
  }
  const verdict = await ports.authorizePublish(session);
  if (!verdict.allowed) return { ok: false, reason: verdict.reason, detail: verdict.detail };
  const result = hub.publish(session, owner, clock());
  if (!result.ok) ports.onUnpublish(session);
  return result;
}
