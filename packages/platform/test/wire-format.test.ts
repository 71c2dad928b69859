// Rules of the wire format that existing clients rely on.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { maxJsonBodyBytes } from '@srs-stack/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform, testBearer } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
});
afterAll(() => platform.dispose());

const bearer = { authorization: `Bearer ${testBearer}` };
const update = '/terraform/v1/mgmt/beian/update';
const query = '/terraform/v1/mgmt/beian/query';
const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((flags) =>
      [...text].map((letter, index) => (flags[index] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
    );

describe('requests', () => {
  it('may be HEAD: the response has headers and no body', async () => {
    const { port } = new URL(await platform.app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    const line = (method: string) => `${method} ${query}?x=1 HTTP/1.1\r\nHost: h\r\nConnection: `;
    socket.write(`${line('HEAD')}keep-alive\r\n\r\n${line('GET')}close\r\n\r\n`);
    const [head = '', nothing, body = ''] = (await text(socket)).split(/(?:\r\n){2}(?=HTTP|(\{))/);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(Number(/^content-length: (\d+)/im.exec(head)?.[1])).toBeGreaterThan(0);
    expect(nothing).toBeUndefined();
    expect(body).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('accept any method, content type, spelling and unknown fields', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
    const contentType = fc.oneof(
      fc.constantFrom(
        undefined,
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ),
      fc.stringMatching(/^[!-~]{1,30}$/),
    );
    const extra = fc.dictionary(
      fc.string({ maxLength: 8 }).filter((key) => !['beian', 'text', 'token'].includes(key.toLowerCase())),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const text = fc.string({ minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        method,
        contentType,
        anyCase('beian'),
        anyCase('text'),
        extra,
        text,
        async (verb, type, first, second, more, value) => {
          const payload = JSON.stringify({ ...more, [first]: 'title', [second]: value, token: null });
          const headers = type === undefined ? bearer : { ...bearer, 'content-type': type };
          const response = await platform.app.inject({ method: verb, url: update, headers, payload });
          expect(response.statusCode, response.body).toBe(200);
          expect(response.json()).toEqual({ code: 0, server: process.pid, data: null });
          const stored = await platform.app.inject({ method: verb, url: query });
          expect(stored.json().data.title).toBe(value);
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });

  it('may have no body, an empty one, null, or a byte order mark', async () => {
    for (const payload of [undefined, '', '  \n', 'null', '{}', '\ufeff{}']) {
      const response = await platform.callPath(query, payload, {});
      expect(response.status, JSON.stringify(payload)).toBe(200);
    }
    const login = await platform.call('login', undefined, {});
    expect(login).toMatchObject({ status: 400, body: { code: 4012, data: { name: 'passwordMissing' } } });
  });

  it('fail with a clear error message when the body is invalid', async () => {
    for (const payload of [
      '{',
      '[]',
      '"x"',
      '7',
      '[1,2]',
      '{"beian":1,"text":"x"}',
      '{"beian":"title"}',
      '{"beian":["title"],"text":"x"}',
    ]) {
      const response = await platform.callPath(update, payload);
      expect(response.status, payload).toBe(400);
      expect(response.body).toMatchObject({ code: 4000, server: process.pid, data: { name: 'invalidRequest' } });
      expect(response.body.data.message).not.toBe('');
      expect(response.body.data.requestId).toMatch(/^[0-9a-f]{6}-[0-9a-z]+$/);
    }
    const named = await platform.callPath(update, { beian: 'title' });
    expect(named.body.data.message).toContain('text');
  });

  it('always return an envelope, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const response = await platform.app.inject({
          method: 'POST',
          url: update,
          headers: bearer,
          payload: Buffer.from(bytes),
        });
        expect([200, 400]).toContain(response.statusCode);
        expect(response.json()).toHaveProperty('code');
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  it('with an incomplete character are accepted with the replacement character', async () => {
    const kicked = await platform.call('kickLiveClient', { id: 'a\ud800b' });
    expect(kicked.status).not.toBe(500);
    await platform.callPath(update, { beian: 'icp', text: 'x\udc00' });
    expect((await platform.callPath(query, {})).body.data).toMatchObject({ icp: 'x\ufffd' });
  });

  it('must not be very large or deeply nested', async () => {
    const giant = await platform.callPath(update, `{"beian":"title","text":"${'x'.repeat(maxJsonBodyBytes)}"}`);
    expect(giant).toMatchObject({ status: 413, body: { code: 4001, data: { name: 'bodyTooLarge' } } });
    const nest = '['.repeat(200_000) + ']'.repeat(200_000);
    expect((await platform.callPath(update, nest)).status).toBe(400);
    expect((await platform.callPath(update, `{"beian":"title","text":"x","more":${nest}}`)).status).toBe(200);
  });

  it('cannot pollute prototypes', async () => {
    await platform.callPath(
      update,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"beian":"__proto__","text":"x"}',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await platform.call('queryBeian')).status).toBe(200);
  });
});

describe('responses', () => {
  it('contain the server header, and on success the envelope', async () => {
    const response = await platform.call('queryVersion');
    expect(response.headers.server).toMatch(/^srs-stack\/\d+\.\d+\.\d+$/);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toEqual({ code: 0, server: process.pid, data: { version: '0.1.0' } });
  });

  it('are returned as JSONP on request, only with harmless names', async () => {
    const ask = (name: string) => platform.app.inject({ url: `${query}?callback=${encodeURIComponent(name)}` });
    const good = await ask('jQuery.cb_1$');
    expect(good.headers['content-type']).toMatch(/^application\/javascript/);
    expect(good.body).toMatch(/^jQuery\.cb_1\$\(\{"code":0,.*\}\)$/);
    for (const name of ['alert(1)', 'a;b', '1a', 'a..b', 'a.', '<script>', 'x'.repeat(500), 'a b', 'a[0]']) {
      expect((await ask(name)).statusCode, name).toBe(400);
    }
    expect((await platform.app.inject({ url: `${query}?callback=a&callback=b` })).statusCode).toBe(400);
  });

  it('leave CORS to the front, and return 200 to OPTIONS without a credential', async () => {
    for (const url of ['/terraform/v1/mgmt/status', '/api/v1/summaries', '/anything']) {
      const response = await platform.app.inject({ method: 'OPTIONS', url });
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('return 404 for calls that do not exist', async () => {
    for (const url of ['/', '/terraform/v1/mgmt/upgrade', '/terraform/v1/mgmt/status/', '/x']) {
      const response = await platform.app.inject({ method: 'POST', url });
      expect([response.statusCode, response.json().code], url).toEqual([404, 4004]);
    }
  });

  it('are described in an OpenAPI document', async () => {
    const response = await platform.app.inject({ url: '/terraform/v1/openapi.json' });
    const document = response.json();
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths['/terraform/v1/mgmt/login'].post.operationId).toBe('login');
    expect(document.paths['/terraform/v1/mgmt/login'].post.security).toEqual([]);
    expect(document.paths['/terraform/v1/mgmt/status'].post.security).toEqual([{ bearer: [] }]);
    expect(document.paths['/terraform/v1/hooks/srs/verify'].post.security).toEqual([{ callbackSecret: [] }]);
    expect(response.body).not.toContain(testBearer);
  });
});
