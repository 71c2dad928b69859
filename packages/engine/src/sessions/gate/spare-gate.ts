// Admits spare encoders, whose stream may already have a publisher. A stream without a publisher starts with the spare encoder; the host
// then authorizes it like any publisher. If there is a publisher, the host also gets the priority.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import { busySpare } from '../../hub/spares.ts';
import type { PublicationOwner, PublishResult } from '../../hub/stream-hub.ts';
import type { SessionInfo } from '../../session-info.ts';
import { invalidName, type PublishGate, refusalOf } from './publish-context.ts';

/** Refusals are already reported. Never rejects. */
export async function admitSpare(
  session: SessionInfo,
  owner: PublicationOwner,
  gate: PublishGate & { readonly priority: number },
): Promise<PublishResult> {
  const { hub, ports, clock, priority } = gate;
  const refuse = refusalOf(session, gate);
  if (!ports.isValidStream(session)) return refuse('name-invalid', invalidName);
  await hub.spares.whenPublishable(session, priority, clock());
  const url = toStreamUrl(session);
  const isElsewhere = (): boolean => ports.origins?.publishedSince(session) !== undefined;
  const elsewhere = `${url} is published at another gateway: connect the spare encoder to that gateway`;
  if (isElsewhere()) return refuse('stream-busy', elsewhere);
  if (hub.spares.isSending(session, priority, clock())) return refuse('stream-busy', busySpare(url, priority));
  const isFirst = !hub.hasPublisher(session);
  const verdict = await ports.authorizePublish(isFirst ? session : { ...session, priority });
  if (!verdict.allowed) return refuse(verdict.reason, verdict.detail);
  // Meanwhile another publisher may have started at another gateway.
  const result: PublishResult = isElsewhere()
    ? { ok: false, reason: 'stream-busy', detail: elsewhere }
    : hub.publishSpare(session, owner, { priority, isFirst });
  if (result.ok) return result;
  if (isFirst) hub.release(session);
  return refuse(result.reason, result.detail);
}
