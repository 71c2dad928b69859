// Admits publishers of every protocol. Checks, in this order: name, free stream, authorization. Only then state changes: a silent publisher
// is ended, here or in another gateway, and the stream is claimed. Refusals are logged and listed.

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
 * Authorizes and claims. A stream that is being sent is refused before the host is called, so that the host never takes the second
 * publisher for the live one; this check changes nothing. Refusals are already reported. Never rejects.
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
  const isSentElsewhere = isElsewhere() && (await ports.origins?.isSending(session));
  if (isSentElsewhere || hub.isSending(session, clock())) return refuse('stream-busy', busy);
  const verdict = await ports.authorizePublish(session);
  if (!verdict.allowed) return refuse(verdict.reason, verdict.detail);
  const isHeld = isElsewhere() && !(await ports.origins?.takeOver(session));
  // Another publisher may have started elsewhere meanwhile.
  const result: PublishResult =
    isHeld || isElsewhere()
      ? { ok: false, reason: 'stream-busy', detail: busy }
      : hub.publish(session, owner, clock(), { keepsClock: verdict.keepsClock ?? false });
  if (result.ok) return result;
  ports.onUnpublish(session);
  return refuse(result.reason, result.detail);
}
