// Common S3 providers: the form of their addresses and the resulting settings. Pure.
import type { BucketDraft } from './bucket-draft.ts';

export const bucketProviders = ['aws', 'cos', 'oss', 'r2', 'minio', 'ceph', 'other'] as const;
export type BucketProvider = (typeof bucketProviders)[number];

interface ProviderFacts {
  /** Example endpoint of the provider, shown as placeholder. */
  readonly endpoint: string;
  /** Matches the provider's hosts; absent for self-hosted software. */
  readonly host?: RegExp;
  readonly region: string;
  /** Whether the address contains the bucket in its path. */
  readonly pathStyle: boolean;
}

/** Names of the providers are the same in every language; `other` has a text. */
export const providerNames: Readonly<Record<Exclude<BucketProvider, 'other'>, string>> = {
  aws: 'Amazon S3',
  cos: 'Tencent Cloud COS',
  oss: 'Alibaba Cloud OSS',
  r2: 'Cloudflare R2',
  minio: 'MinIO',
  ceph: 'Ceph',
};

export const providerFacts: Readonly<Record<BucketProvider, ProviderFacts>> = {
  aws: {
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    host: /\.amazonaws\.com(?:\.cn)?$/,
    region: 'eu-west-1',
    pathStyle: false,
  },
  cos: {
    endpoint: 'https://cos.ap-guangzhou.myqcloud.com',
    host: /\.(?:myqcloud|tencentcos)\.c(?:om|n)$/,
    region: 'ap-guangzhou',
    pathStyle: false,
  },
  oss: {
    endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
    host: /\.aliyuncs\.com$/,
    region: 'cn-hangzhou',
    pathStyle: false,
  },
  r2: {
    endpoint: 'https://ACCOUNT.r2.cloudflarestorage.com',
    host: /\.r2\.cloudflarestorage\.com$/,
    region: 'auto',
    pathStyle: true,
  },
  minio: { endpoint: 'http://10.0.0.9:9000', region: 'us-east-1', pathStyle: true },
  ceph: { endpoint: 'https://rgw.example.com', region: 'us-east-1', pathStyle: true },
  other: { endpoint: 'https://s3.example.com', region: 'us-east-1', pathStyle: false },
};

/** The provider of an endpoint; null for an empty one. The address of self-hosted software identifies no provider. */
export function providerOf(endpoint: string): BucketProvider | null {
  if (endpoint.trim() === '') return null;
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
  return bucketProviders.find((provider) => providerFacts[provider].host?.test(host)) ?? 'other';
}

/** Changes of the form after a selection: an endpoint of another provider is cleared together with its region. */
export function changesOfProvider(provider: BucketProvider, { endpoint }: BucketDraft): Partial<BucketDraft> {
  const { pathStyle, region } = providerFacts[provider];
  const before = providerOf(endpoint);
  const isOfAnother = before !== null && before !== 'other' && before !== provider;
  return {
    pathStyle,
    ...(isOfAnother && { endpoint: '', region: '' }),
    ...(provider === 'r2' && { region }),
  };
}
