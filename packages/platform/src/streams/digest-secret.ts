// Finds the secret of a publisher with Digest authentication. The rules for plain secrets then also apply to Digest.
import type { StreamEvent } from '@srs-stack/contract';
import { provesPassword } from '@srs-stack/media/protocols/rtsp/digest-proof.ts';
import type { LiveRooms } from './live-rooms.ts';
import type { PublishSecret } from './publish-secret.ts';
import type { StreamKeys } from './stream-keys.ts';

export interface DigestSecretDeps {
  readonly publishSecret: Pick<PublishSecret, 'current'>;
  readonly streamKeys: Pick<StreamKeys, 'secretsFor'>;
  readonly liveRooms: Pick<LiveRooms, 'secretFor'>;
}

/**
 * Puts the matching secret into `param`. If no secret matches, removes only the Digest proof. Throws if the stream keys are needed while
 * the store is unavailable.
 */
export async function withProvenSecret(
  { digest, ...event }: StreamEvent,
  { publishSecret, streamKeys, liveRooms }: DigestSecretDeps,
): Promise<StreamEvent> {
  if (!digest) return event;
  const isProven = (secret: string) => secret !== '' && provesPassword(digest, secret);
  const ownSecrets = [publishSecret.current().publish, liveRooms.secretFor(event)];
  const found = ownSecrets.find(isProven) ?? (await streamKeys.secretsFor(event)).find(isProven);
  if (found === undefined) return event;
  const separator = event.param === '' ? '?' : '&';
  return { ...event, param: `${event.param}${separator}secret=${encodeURIComponent(found)}` };
}
