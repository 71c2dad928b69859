// Verifies signatures: TC3-HMAC-SHA256 of the API, and HMAC-SHA1 of the object storage. Written from Tencent's documentation, independently
// of the SDKs.
import { createHash, createHmac } from 'node:crypto';

export interface SignedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const hmac = (algorithm: string, key: string | Buffer, text: string) =>
  createHmac(algorithm, key).update(text).digest();
const header = ({ headers }: SignedRequest, name: string) => String(headers[name] ?? '');

/** Identity of an API call, from its Authorization header. */
export function apiSigner(request: SignedRequest): { secretId: string; service: string } | undefined {
  const [, secretId = '', service = ''] =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/\d{4}-\d\d-\d\d\/(\w+)\/tc3_request,/.exec(
      header(request, 'authorization'),
    ) ?? [];
  return secretId ? { secretId, service } : undefined;
}

/** Verifies "Signature v3" of API 3.0. */
export function isApiSignature(request: SignedRequest, secretKey: string): boolean {
  const [, credential = '', signedHeaders = '', signature = ''] =
    /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(header(request, 'authorization')) ?? [];
  const [, date = '', service = ''] = credential.split('/');
  const canonicalHeaders = signedHeaders
    .split(';')
    .map((name) => `${name}:${header(request, name).trim().toLowerCase()}\n`);
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  const [path = '/', query = ''] = request.target.split('?');
  const canonical = [request.method, path, query, canonicalHeaders.join(''), signedHeaders, bodyHash].join('\n');
  const scope = `${date}/${service}/tc3_request`;
  const timestamp = header(request, 'x-tc-timestamp');
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(
    (secret, part) => hmac('sha256', secret, part),
    `TC3${secretKey}`,
  );
  const isOfDay = new Date(Number(timestamp) * 1000).toISOString().startsWith(date);
  return isOfDay && hmac('sha256', key, toSign).toString('hex') === signature;
}

function objectFields(request: SignedRequest): Map<string, string> {
  const pairs = header(request, 'authorization').split('&');
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

export function objectSigner(request: SignedRequest): string | undefined {
  return objectFields(request).get('q-ak');
}

/** Verifies the "Request Signature" of COS. */
export function isObjectSignature(request: SignedRequest, secretKey: string): boolean {
  const fields = objectFields(request);
  const keyTime = fields.get('q-key-time') ?? '';
  const [from = 0, to = 0] = keyTime.split(';').map(Number);
  const nowSeconds = Date.now() / 1000;
  if (nowSeconds < from - 60 || nowSeconds > to) return false;
  const [path = '/', query = ''] = request.target.split('?');
  const parameters = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));
  const listed = (field: string, values: (name: string) => string) =>
    (fields.get(field) ?? '')
      .split(';')
      .filter(Boolean)
      .map((name) => `${name}=${encode(values(decodeURIComponent(name)))}`)
      .join('&');
  const httpString = [
    request.method.toLowerCase(),
    decodeURIComponent(path),
    listed('q-url-param-list', (name) => parameters.get(name) ?? ''),
    listed('q-header-list', (name) => header(request, name)),
    '',
  ].join('\n');
  const signKey = hmac('sha1', secretKey, keyTime).toString('hex');
  const toSign = `sha1\n${keyTime}\n${createHash('sha1').update(httpString).digest('hex')}\n`;
  return hmac('sha1', signKey, toSign).toString('hex') === fields.get('q-signature');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
