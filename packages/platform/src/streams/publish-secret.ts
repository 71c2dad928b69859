// The publish secret, which encoders send unless they have a stream key or publish to a live room. Generated at the first start and cached
// in memory.

import { randomBytes } from 'node:crypto';
import { AppError, because, changed, switched } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import { rememberLast } from '../remember-last.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { knowsPublishSecret } from './publish-secret-match.ts';

const secretRandomBytes = 16;
/**
 * While the store is unavailable, the last known secret stays valid for this time, milliseconds. Longer than a failover or upgrade of the
 * store, but limited: another node may have replaced the secret.
 */
const trustedAwayMs = 600_000;

interface PublishSecretState {
  readonly pubSecret: string;
  readonly pubNoAuth: boolean;
  /** The previous secret, while keys of push targets still contain it. */
  readonly replaced: ReplacedSecret | null;
}

/** `calledHost`: host name by which the operator reached this server. */
interface ReplacedSecret {
  readonly secret: string;
  readonly calledHost: string;
}

const publishSecretDocument: DocumentType<PublishSecretState> = {
  key: 'publish-secret',
  schema: z.object({
    pubSecret: z.string(),
    pubNoAuth: z.boolean(),
    replaced: z.object({ secret: z.string(), calledHost: z.string() }).nullable().default(null),
  }),
  empty: { pubSecret: '', pubNoAuth: false, replaced: null },
  secret: true,
};

export interface PublishSecret {
  current(): { publish: string; pubNoAuth: boolean; revision: string };
  /** Throws `settingsChanged` if `revision` is given and outdated, as `disable` does. */
  replace(secret: string, actor: Actor, seen: { calledHost: string; revision: string | undefined }): Promise<void>;
  disable(pubNoAuth: boolean, actor: Actor, revision?: string): Promise<void>;
  /** The previous secret; null after `settle`. */
  replaced(): ReplacedSecret | null;
  /** Called when no key of a push target contains the previous secret any more. */
  settle(): Promise<void>;
  /** True if the store has been unavailable for too long: publishers are then refused. */
  isUnknown(): boolean;
  /** Throws `storeNotReady` if the store has been unavailable for too long. */
  admits(request: { param: string; stream: string }): boolean;
}

export async function openPublishSecret(deps: { store: Store; audit: AuditTrail }): Promise<PublishSecret> {
  const { store, audit } = deps;
  const held = await holdDocument(store, publishSecretDocument);
  const oneAtATime = createOneAtATime();
  const keep = (change: Partial<PublishSecretState>, revision?: string) =>
    oneAtATime(async () => {
      const before = held.current();
      requireRevision(revision, seenOf(before));
      await held.replace(before, { ...before, ...change });
    });
  const first = { ...held.current(), pubSecret: randomBytes(secretRandomBytes).toString('hex') };
  const answerOf = rememberLast(toAnswer);
  const isUnknown = () => store.awayMs() > trustedAwayMs;
  if (!held.current().pubSecret) await held.saveFirst(first);
  return {
    current: () => answerOf(held.current()),
    async replace(secret, actor, { calledHost, revision }) {
      await keep({ pubSecret: secret, replaced: { secret: held.current().pubSecret, calledHost } }, revision);
      await audit.record('setting-changed', actor, changed('publish.secret'));
    },
    async disable(pubNoAuth, actor, revision) {
      await keep({ pubNoAuth }, revision);
      await audit.record('setting-changed', actor, changed('publish.authentication', { state: switched(!pubNoAuth) }));
    },
    replaced: () => held.current().replaced,
    async settle() {
      if (held.current().replaced) await keep({ replaced: null });
    },
    isUnknown,
    admits(request) {
      if (isUnknown()) {
        const minutes = trustedAwayMs / 60_000;
        throw new AppError('storeNotReady', because('store.away-too-long', { store: store.name, minutes }));
      }
      const { pubSecret, pubNoAuth } = held.current();
      return pubNoAuth || knowsPublishSecret(pubSecret, request);
    },
  };
}

function toAnswer(state: PublishSecretState) {
  return { publish: state.pubSecret, pubNoAuth: state.pubNoAuth, revision: revisionOf(seenOf(state)) };
}

function seenOf({ pubSecret, pubNoAuth }: PublishSecretState) {
  return { pubSecret, pubNoAuth };
}
