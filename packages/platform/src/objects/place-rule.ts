// Decides which buckets are allowed. Private and loopback addresses are allowed, because storage in the operator's network is common.
// Link-local addresses are refused, because clouds serve machine credentials there. Names are checked again at each connection.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { AppError, because, unmappedAddress } from '@srs-stack/contract';
import { checkAddress } from '../network/address-rule.ts';
import type { BucketPlace } from './bucket.ts';

/** Timeout of name resolution, milliseconds. After a timeout, browsers are not redirected to the bucket. */
const lookupTimeoutMs = 2_000;
const endpointSchemes = ['https', 'http'] as const;
/** Characters of bucket names in S3 and compatible services. An account may precede a colon. */
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._:-]+$/;
const keyPart = /^[A-Za-z0-9_!.*'()=+@, -]+$/;

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addAddress('::1', 'ipv6');

/** Throws `bucketSettingsIncomplete` or `addressRefused`. */
export function requireUsablePlace({ endpoint, bucket }: BucketPlace): void {
  if (endpoint === '') throw new AppError('bucketSettingsIncomplete', because('bucket.endpoint'));
  checkAddress(endpoint, endpointSchemes);
  const url = URL.parse(endpoint);
  const isPlain = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain) throw new AppError('addressRefused', because('bucket.endpoint-form'));
  // Checks again, because URL parsing converts numeric forms of an address.
  checkAddress(url.origin, endpointSchemes);
  if (bucket === '') throw new AppError('bucketSettingsIncomplete', because('bucket.name'));
  if (!bucketName.test(bucket)) throw new AppError('bucketSettingsIncomplete', because('bucket.name-form'));
}

/** Normalizes a prefix: `/a//b/` → `a/b/`. Throws for parts that are not allowed in keys. */
export function tidyPrefix(prefix: string): string {
  const parts = prefix.split('/').filter(Boolean);
  const isUsable = parts.every((part) => keyPart.test(part) && part !== '.' && part !== '..');
  if (!isUsable) throw new AppError('bucketSettingsIncomplete', because('bucket.prefix'));
  return parts.map((part) => `${part}/`).join('');
}

/** Whether browsers can be redirected to the endpoint: https, and no private address. */
export async function isOpenToBrowsers({ endpoint }: Pick<BucketPlace, 'endpoint'>): Promise<boolean> {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await Promise.race([addressesOf(host), noneAfter(lookupTimeoutMs)]);
  return addresses.length > 0 && !addresses.some(isPrivate);
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

function noneAfter(timeoutMs: number): Promise<string[]> {
  return new Promise((resolve) => setTimeout(() => resolve([]), timeoutMs).unref());
}

function isPrivate(address: string): boolean {
  const plain = unmappedAddress(address);
  return privateNetworks.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
