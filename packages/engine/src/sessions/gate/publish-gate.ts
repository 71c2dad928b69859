// Admits publishers of every protocol. Checks in this order: name, free stream, authorization. After the authorization, ends a silent
// publisher, here or in another gateway, and claims the stream. Refusals are logged and listed.

import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { PublicationOwner, PublishResult } from '../../hub/stream-hub.ts';
import type { SessionInfo } from '../../session-info.ts';
import { invalidName, type PublishGate, refusalOf } from './publish-context.ts';
import { admitSpare } from './spare-gate.ts';
import { sparePriorityOf } from './spare-priority.ts';

export type { PublishGate } from './publish-context.ts';

/**
 * Authorizes the publisher and claims the stream. While another publisher sends, refuses all but spare encoders without calling the host,
 * because the host would take the second publisher for the first. Refusals are already reported. Never rejects.
 */
export async function admitPublisher(
  session: SessionInfo,
  owner: PublicationOwner,
  gate: PublishGate,
): Promise<PublishResult> {
  const priority = sparePriorityOf(session);
  if (priority !== undefined) return admitSpare(session, owner, { ...gate, priority });
  const { hub, ports, clock } = gate;
  const refuse = refusalOf(session, gate);
  if (!ports.isValidStream(session)) return refuse('name-invalid', invalidName);
  await hub.whenPublishable(session, clock());
  const isElsewhere = (): boolean => ports.origins?.publishedSince(session) !== undefined;
  const busy = `${toStreamUrl(session)} is already being published`;
  const isSentElsewhere = isElsewhere() && (await ports.origins?.isSending(session));
  if (isSentElsewhere || hub.isSending(session, clock())) return refuse('stream-busy', busy);
  const verdict = await ports.authorizePublish(session);
  if (!verdict.allowed) return refuse(verdict.reason, verdict.detail);
  const isHeld = isElsewhere() && !(await ports.origins?.takeOver(session));
  // Meanwhile another publisher may have started at another gateway.
  const result: PublishResult =
    isHeld || isElsewhere()
      ? { ok: false, reason: 'stream-busy', detail: busy }
      : hub.publish(session, owner, clock(), { keepsClock: verdict.keepsClock ?? false });
  if (result.ok) return result;
  ports.onUnpublish(session);
  return refuse(result.reason, result.detail);
}
