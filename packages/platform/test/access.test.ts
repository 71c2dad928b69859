// Every route that is not open refuses a call without a credential; every open route is on the list.
import { createHmac } from 'node:crypto';
import {
  channelGuidePrefix,
  cloudLinkPrefixes,
  type Endpoint,
  endpoints,
  eventStreamPath,
  healthPath,
  metricsPath,
  openApiPath,
  readyPath,
  recordLinkPrefix,
  resumableUploadPath,
  uploadPath,
} from '@srs-stack/contract';
import {
  nodeCallSecretHeader,
  nodeRecordOrders,
  nodeRecordPrefix,
  nodeVliveSource,
} from '@srs-stack/contract/node-calls.ts';
import { createSigner } from 'fast-jwt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform, testBearer, testCallbackSecret } from '../src/testing/test-platform.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const uploadRoutes = [`${uploadPath}*`, resumableUploadPath, `${resumableUploadPath}/*`];
const nodeRoutes = [nodeRecordOrders, nodeVliveSource, `${nodeRecordPrefix}*`];
/** A plain upload is a POST or PUT. The resumable upload has no PUT. */
const uploadCalls = (method: string) => [
  ...(['POST', 'PUT'].includes(method) ? [`${uploadPath}a.mp4`] : []),
  ...(method === 'PUT' ? [] : [resumableUploadPath, `${resumableUploadPath}/some-id`]),
];
const all: Endpoint[] = Object.values(endpoints);
const pathsOf = (access: Endpoint['access']) =>
  all.filter((each) => each.access === access).flatMap((each) => [each.path, ...each.aliases]);

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
});
afterAll(() => platform.dispose());

/** Paths from the printed tree of the router, which has four characters of indentation per level. */
function routerPaths(): string[] {
  const found = new Set<string>();
  const parents: string[] = [];
  for (const line of platform.app.printRoutes().split('\n')) {
    const parts = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \((.*)\))?/.exec(line);
    if (!parts) continue;
    const depth = (parts[1] ?? '').length / 4;
    parents.length = depth;
    parents[depth] = (parents[depth - 1] ?? '') + parts[2];
    if (parts[3]) found.add(parents[depth] ?? '');
  }
  return [...found];
}

describe('access', () => {
  it('lists every route of the router', async () => {
    await platform.app.ready();
    const known = [
      ...all.flatMap((each) => [each.path, ...each.aliases]),
      openApiPath,
      '/api/*',
      eventStreamPath,
      metricsPath,
      healthPath,
      readyPath,
      `${recordLinkPrefix}*`,
      `${channelGuidePrefix}*`,
      ...Object.values(cloudLinkPrefixes).map((prefix) => `${prefix}*`),
      ...uploadRoutes,
      ...nodeRoutes,
    ];
    expect(routerPaths().sort()).toEqual(known.sort());
  });

  it('leaves exactly these calls open', () => {
    expect([...pathsOf('none'), ...pathsOf('password')].sort()).toEqual(
      [
        '/terraform/v1/host/versions',
        '/terraform/v1/mgmt/versions',
        '/terraform/v1/ffmpeg/versions',
        '/terraform/v1/hooks/versions',
        '/terraform/v1/tencent/versions',
        '/terraform/v1/mgmt/init',
        '/terraform/v1/mgmt/login',
        '/terraform/v1/mgmt/check',
        '/terraform/v1/mgmt/envs',
        '/terraform/v1/mgmt/beian/query',
        '/terraform/v1/mgmt/hooks/example',
        '/terraform/v1/live/room/invitation/query',
        '/terraform/v1/watch/access',
        '/terraform/v1/watch/unlock',
      ].sort(),
    );
  });

  it.each(methods)('refuses %s of every call that needs a credential', async (method) => {
    for (const url of [
      ...pathsOf('credential'),
      ...uploadCalls(method),
      '/api/v1/summaries',
      '/api/v1/raw?rpc=reload',
    ]) {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: '' }]) {
        const response = await platform.app.inject({ method, url, headers });
        expect(response.statusCode, `${method} ${url}`).toBe(401);
        expect(response.json()).toMatchObject({ code: 2001, data: { name: 'tokenInvalid' } });
      }
    }
    expect(platform.mediaServer.requests).toEqual([]);
  });

  it('accepts calls of other nodes only with the secret in its header', async () => {
    const urls = [nodeRecordOrders, nodeVliveSource, `${nodeRecordPrefix}a-recording/index.mp4`];
    for (const url of urls) {
      const method = url.startsWith(nodeRecordPrefix) ? 'GET' : 'POST';
      const ask = (headers: Record<string, string>, query = '') =>
        platform.app.inject({ method, url: url + query, headers });
      const refused = [
        await ask({}),
        await ask({ [nodeCallSecretHeader]: 'wrong' }),
        await ask({ authorization: `Bearer ${testBearer}` }),
        await ask({}, `?callback_secret=${testCallbackSecret}`),
      ];
      for (const response of refused) expect(response.statusCode, url).toBe(403);
      // Any status except 403: the call is authorized, although its resource is missing or invalid.
      expect((await ask({ [nodeCallSecretHeader]: testCallbackSecret })).statusCode, url).not.toBe(403);
    }
  });

  it('reports a wrong bearer as wrong and an expired session as expired', async () => {
    const failureWith = async (authorization: string) => {
      const url = '/terraform/v1/mgmt/hphls/query';
      const response = await platform.app.inject({ method: 'POST', url, headers: { authorization } });
      return response.json().data;
    };
    const wrong = await failureWith('Bearer srs-v2-of-another-server');
    expect(wrong.message).toContain('neither the API secret nor a valid session bearer');
    expect(wrong.message).not.toContain('expired');
    expect(wrong.reason.key).toBe('session.bearer-wrong');
    expect((await failureWith('Bearer eyJhbGciOiJI.eyJzdWIi.c2lnbmF0')).reason.key).toBe('session.ended');
  });

  it('accepts callbacks of the media server only with the secret, whatever their origin', async () => {
    for (const url of pathsOf('media-server')) {
      const post = (headers: Record<string, string>, query = '') =>
        platform.app.inject({ method: 'POST', url: url + query, headers, payload: '{"action":"on_stop"}' });
      for (const headers of [
        {},
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-for': '203.0.113.9' },
        { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
        { 'x-forwarded-for': '203.0.113.9', 'x-callback-secret': 'wrong' },
        { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${testBearer}` },
      ]) {
        const response = await post(headers);
        expect(response.statusCode, url).toBe(403);
        expect(response.json().data.name).toBe('callbackSourceRefused');
      }
      const remote = { 'x-forwarded-for': '203.0.113.9' };
      expect((await post({ ...remote, 'x-callback-secret': testCallbackSecret })).json().data?.name).not.toBe(
        'callbackSourceRefused',
      );
      expect((await post(remote, `?callback_secret=${testCallbackSecret}`)).json().data?.name).not.toBe(
        'callbackSourceRefused',
      );
    }
  });

  it('accepts callbacks from loopback without the secret only with an SRS, which cannot send it', async () => {
    const beside = await openTestPlatform({ MEDIA_SERVER: 'srs' });
    const nameOf = async (headers: Record<string, string>) => {
      const payload = { action: 'on_stop' };
      return (await beside.call('verifyStream', payload, headers)).body.data?.name;
    };
    expect(await nameOf({ 'x-forwarded-for': '127.0.0.1' })).toBeUndefined();
    expect(await nameOf({ 'x-forwarded-for': '203.0.113.9' })).toBe('callbackSourceRefused');
    await beside.dispose();
  });

  it('uses the header when there is one', async () => {
    const { body } = await platform.call('login', { password: 'correct' }, {});
    const token: string = body.data.token;
    expect((await platform.call('status', { token }, {})).status).toBe(200);
    expect((await platform.call('status', { token: 'bad' }, { authorization: `bearer ${testBearer}` })).status).toBe(
      200,
    );
    for (const authorization of [
      'Bearer wrong',
      `Bearer  ${testBearer}`,
      `Bearer ${testBearer} x`,
      testBearer,
      `Basic ${testBearer}`,
      `Bearer ${token}`,
    ]) {
      expect((await platform.call('status', { token }, { authorization })).status, authorization).toBe(401);
    }
  });

  it('accepts only valid tokens', async () => {
    const seconds = Math.floor(platform.clock.nowMs / 1000);
    const claims = { v: '1.0', nonce: '1', iat: seconds, exp: seconds + 3600 };
    const signed = (fields: object, key = testBearer, algorithm: 'HS256' | 'HS512' = 'HS256') =>
      createSigner({ key, algorithm })({ ...claims, ...fields });
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    const [head, , signature] = signed({}).split('.');
    const signedAsIs = (fields: object) => {
      const text = `${head}.${Buffer.from(JSON.stringify({ ...claims, ...fields })).toString('base64url')}`;
      return `${text}.${createHmac('sha256', testBearer).update(text).digest('base64url')}`;
    };
    const forged = `${head}.${Buffer.from(JSON.stringify({ ...claims, exp: seconds + 9e9 })).toString('base64url')}.${signature}`;
    const ask = async (token: unknown) => (await platform.call('status', { token }, {})).status;
    expect(await ask(signed({}))).toBe(200);
    expect(await ask(signedAsIs({ exp: seconds + 3600 }))).toBe(200);
    const bad = [
      unsigned,
      forged,
      signed({}, 'other'),
      signed({}, testBearer, 'HS512'),
      signed({ exp: seconds - 1 }),
      signedAsIs({ exp: String(seconds + 3600) }),
      signedAsIs({ exp: [seconds + 3600] }),
      signedAsIs({ exp: '9e99' }),
      signedAsIs({ exp: null }),
      signedAsIs({ iat: 'x' }),
      signed({ use: 'bearer' }),
      signed({ epoch: 7 }),
      '',
      'x',
      7,
      null,
      {},
      'a'.repeat(5_000),
    ];
    for (const token of bad) expect(await ask(token), String(token).slice(0, 80)).toBe(401);
    const expiring = signed({ exp: seconds + 10 });
    expect(await ask(expiring)).toBe(200);
    platform.clock.nowMs += 11_000;
    expect(await ask(expiring)).toBe(401);
  });
});
