import { expect, test } from 'vitest';
import type { BucketDraft } from './bucket-draft.ts';
import { type BucketProvider, changesOfProvider, providerOf } from './bucket-providers.ts';

test.each([
  ['', null],
  ['https://s3.eu-west-1.amazonaws.com', 'aws'],
  ['https://s3.cn-north-1.amazonaws.com.cn', 'aws'],
  ['https://cos.ap-guangzhou.myqcloud.com', 'cos'],
  ['https://oss-cn-hangzhou.aliyuncs.com', 'oss'],
  ['https://0a1b.r2.cloudflarestorage.com', 'r2'],
  ['http://10.0.0.9:9000', 'other'],
  ['https://amazonaws.com.example.org', 'other'],
  ['not an address', 'other'],
])('%s belongs to %s', (endpoint, provider) => {
  expect(providerOf(endpoint)).toBe(provider);
});

const draft = (endpoint: string) => ({ endpoint, region: 'eu-west-1', pathStyle: false }) as BucketDraft;

test.each<[BucketProvider, string, Partial<BucketDraft>]>([
  ['minio', '', { pathStyle: true }],
  ['minio', 'http://10.0.0.9:9000', { pathStyle: true }],
  ['aws', 'http://10.0.0.9:9000', { pathStyle: false }],
  ['cos', 'https://s3.eu-west-1.amazonaws.com', { pathStyle: false, endpoint: '', region: '' }],
  ['r2', '', { pathStyle: true, region: 'auto' }],
])('choosing %s at "%s" changes %j', (provider, endpoint, changes) => {
  expect(changesOfProvider(provider, draft(endpoint))).toEqual(changes);
});
