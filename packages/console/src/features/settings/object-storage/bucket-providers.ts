// Common S3 providers with example addresses and default settings. Pure.
import type { BucketDraft } from './bucket-draft.ts';

export const bucketProviders = ['aws', 'cos', 'oss', 'r2', 'minio', 'ceph', 'other'] as const;
export type BucketProvider = (typeof bucketProviders)[number];

interface ProviderFacts {
  /** Example endpoint, shown as placeholder. */
  readonly endpoint: string;
  /** Matches the provider's hosts; absent for self-hosted software. */
  readonly host?: RegExp;
  readonly region: string;
  /** Whether the URL path, not the host name, contains the bucket. */
  readonly pathStyle: boolean;
}

/** Product names are not translated; `other` has a translated text. */
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

/** The provider of an endpoint; null if empty. Self-hosted software has no known host names, so the result is `other`. */
export function providerOf(endpoint: string): BucketProvider | null {
  if (endpoint.trim() === '') return null;
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
  return bucketProviders.find((provider) => providerFacts[provider].host?.test(host)) ?? 'other';
}

/** Form values to change when a provider is selected. An endpoint of a different provider is cleared, and its region too. */
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
