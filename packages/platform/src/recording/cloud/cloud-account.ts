// The cloud account of the operator: credentials and the resources created with them. Credentials are encrypted. The API returns only a
// masked id.
import { randomBytes } from 'node:crypto';
import { AppError, because, changed, type ErrorName, type CloudAccount as ShownAccount } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { type Cloud, type CloudCredentials, CloudError, type VodApplication } from './cloud.ts';

const namePrefix = 'srs-lighthouse';
/** Number of random bytes that make the bucket name unique per installation. */
const suffixBytes = 2;
/** Characters of the id shown at each end. */
const shownCharacters = 4;

const vodApplication = z.object({
  id: z.number(),
  storageRegion: z.string(),
  remuxDefinition: z.number(),
  domain: z.string(),
});

const accountDocument = {
  key: 'cloud-account',
  secret: true,
  schema: z.object({
    secretId: z.string(),
    secretKey: z.string(),
    appId: z.string(),
    /** Stays when the credentials change, so that an account keeps its bucket. */
    suffix: z.string(),
    bucket: z.string(),
    region: z.string(),
    vod: vodApplication.optional(),
  }),
  empty: { secretId: '', secretKey: '', appId: '', suffix: '', bucket: '', region: '' },
} satisfies DocumentType<StoredAccount>;

interface StoredAccount {
  secretId: string;
  secretKey: string;
  appId: string;
  suffix: string;
  bucket: string;
  region: string;
  vod?: VodApplication | undefined;
}

/** The data that an upload needs. */
export interface ReadyAccount {
  readonly credentials: CloudCredentials;
  readonly bucket: string;
  readonly region: string;
  readonly vod: VodApplication | undefined;
}

export interface CloudAccountService {
  shown(): ShownAccount;
  /** Undefined until the credentials are complete. */
  ready(): ReadyAccount | undefined;
  /**
   * Checks the credentials and creates missing resources. Throws `cloudCredentialsRefused`, `cloudUnreachable` or `cloudRefused`. Accepted
   * credentials are saved even when a later step fails.
   */
  change(secretId: string, secretKey: string, actor: Actor): Promise<void>;
}

export async function openCloudAccount(deps: {
  store: Store;
  audit: AuditTrail;
  cloud: Cloud;
  region: string;
}): Promise<CloudAccountService> {
  const { store, audit, cloud, region } = deps;
  const oneAtATime = createOneAtATime();
  let account: StoredAccount = await store.get<StoredAccount>(accountDocument);
  const keep = async (change: Partial<StoredAccount>) => {
    const next = { ...account, ...change };
    await store.set<StoredAccount>(accountDocument, next);
    account = next;
  };

  const setUp = async (credentials: CloudCredentials, actor: Actor) => {
    const appId = await cloud.identify(credentials).catch(refuse('cloud.not-checked'));
    const suffix = account.suffix || randomBytes(suffixBytes).toString('hex');
    const isSame = account.appId === appId;
    const bucket = isSame && account.bucket ? account.bucket : `${namePrefix}-${suffix}-${appId}`;
    const place = { bucket, region: isSame && account.region ? account.region : region };
    // Saves the bucket name before the bucket is created: after a crash, the next attempt uses the same name.
    await keep({ ...credentials, appId, suffix, ...place, ...(isSame ? {} : { vod: undefined }) });
    await audit.record('setting-changed', actor, changed('cloud.credentials', { id: maskId(credentials.secretId) }));
    await cloud.prepareBucket(credentials, place).catch(refuse('cloud.dvr-not-ready'));
    const vod = await cloud.prepareVod(credentials, `${namePrefix}-${suffix}`).catch(refuse('cloud.vod-not-ready'));
    await keep({ vod });
  };

  return {
    shown: () => ({
      secretId: account.secretId && maskId(account.secretId),
      bucket: account.bucket,
      region: account.region,
      application: account.vod ? String(account.vod.id) : '',
      storageRegion: account.vod?.storageRegion ?? '',
    }),
    ready() {
      const { secretId, secretKey, appId, bucket, region: place, vod } = account;
      if (!secretId || !secretKey || !appId) return undefined;
      return { credentials: { secretId, secretKey }, bucket, region: place, vod };
    },
    change: (secretId, secretKey, actor) => oneAtATime(() => setUp({ secretId, secretKey }, actor)),
  };
}

/** Masks an id, e.g. `AKID…9f3c`. A short id is masked completely. */
function maskId(text: string): string {
  if (text.length < shownCharacters * 4) return '••••';
  return `${text.slice(0, shownCharacters)}…${text.slice(-shownCharacters)}`;
}

function refuse(
  situation: 'cloud.not-checked' | 'cloud.dvr-not-ready' | 'cloud.vod-not-ready',
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CloudError)) throw error;
    const names: Partial<Record<CloudError['kind'], ErrorName>> = {
      credentials: 'cloudCredentialsRefused',
      unreachable: 'cloudUnreachable',
    };
    const reason = because(situation, { words: error.reason });
    throw new AppError(names[error.kind] ?? 'cloudRefused', reason, { cause: error });
  };
}
