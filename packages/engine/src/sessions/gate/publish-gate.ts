// How every protocol lets a publisher in: name, free stream, permission, in this order; then the stream is claimed.
// Whoever is turned away is logged and listed.

import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { PublicationOwner, PublishResult, StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import type { RefusalReason, SessionInfo } from '../../session-info.ts';
import type { Refusals } from './refusals.ts';

export interface PublishGate {
  readonly hub: StreamHub;
  readonly ports: Pick<EnginePorts, 'isValidStream' | 'authorizePublish' | 'onUnpublish' | 'origins'>;
  readonly refusals: Pick<Refusals, 'report'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/**
 * Asks and claims. A stream that is being sent is refused before the host is asked, so that the host never takes the
 * second publisher for the one that is live. Refusals are reported already. Never rejects.
 */
export async function admitPublisher(
  session: SessionInfo,
  owner: PublicationOwner,
  gate: PublishGate,
): Promise<PublishResult> {
  const { hub, ports, refusals, clock } = gate;
  const refuse = (reason: RefusalReason, detail: string): PublishResult => {
    refusals.report(session, reason, detail);
    return { ok: false, reason, detail };
  };
  if (!ports.isValidStream(session)) {
    return refuse('name-invalid', 'the stream address has characters that are not allowed');
  }
  await hub.whenPublishable(session, clock());
  const isElsewhere = (): boolean => ports.origins?.publishedSince(session) !== undefined;
  const busy = `${toStreamUrl(session)} is already being published`;
  const isHeld = isElsewhere() && !(await ports.origins?.takeOver(session));
  if (isHeld || hub.isSending(session, clock())) return refuse('stream-busy', busy);
  const verdict = await ports.authorizePublish(session);
  if (!verdict.allowed) return refuse(verdict.reason, verdict.detail);
  // Another one may have come elsewhere while the host was asked.
  const result: PublishResult = isElsewhere()
    ? { ok: false, reason: 'stream-busy', detail: busy }
    : hub.publish(session, owner, clock(), { keepsClock: verdict.keepsClock ?? false });
  if (result.ok) return result;
  ports.onUnpublish(session);
  return refuse(result.reason, result.detail);
}
