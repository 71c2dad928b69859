// The gateway sends the bytes of a recording only when a response of the control plane names the recording.
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileHandoverHeader, fileOfferHeader, writeFileHandover } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { ask, countHeader } from './http-exchange.ts';

const link = '/terraform/v1/hooks/record/hls/u/index.mp4';
const text = '0123456789';

/** A control plane that responds to every call with the name of this file. */
async function startHanding(
  handover: string | { path: string; start: number; end: number },
): Promise<Fixture & { seen: (string | string[] | undefined)[] }> {
  const fixture = await startFixture();
  const seen: (string | string[] | undefined)[] = [];
  fixture.platform.answer = (incoming, response) => {
    seen.push(incoming.headers[fileOfferHeader]);
    const value = typeof handover === 'string' ? handover : writeFileHandover(handover);
    response.setHeader(fileHandoverHeader, value).setHeader('ETag', '"1"').setHeader('Content-Type', 'video/mp4');
    response.statusCode = 206;
    response.end();
  };
  const { dataDir } = fixture.env;
  await mkdir(join(dataDir, 'record/u'), { recursive: true });
  await mkdir(join(dataDir, 'config'), { recursive: true });
  await writeFile(join(dataDir, 'config/.env'), text);
  await writeFile(join(dataDir, 'record/u/index.mp4'), text);
  return { ...fixture, seen };
}

test('sends the named bytes with the headers of the control plane, and does not reveal the file name', async () => {
  const fixture = await startHanding({ path: 'record/u/index.mp4', start: 3, end: 7 });
  const answer = await ask({ port: fixture.http, path: link, headers: { [fileOfferHeader]: 'forged' } });
  expect([answer.status, answer.body]).toEqual([206, '3456']);
  expect(answer.headers).toMatchObject({ etag: '"1"', 'content-type': 'video/mp4', 'content-length': '4' });
  expect(countHeader(answer, 'content-length')).toBe(1);
  expect(countHeader(answer, 'access-control-allow-origin')).toBe(1);
  expect(JSON.stringify(answer.rawHeaders).toLowerCase()).not.toContain(fileHandoverHeader);
  expect(fixture.seen).toEqual(['1']);
});

test.each([
  ['no bytes of the file', 4, 4, 206, ''],
  ['all bytes of the file', 0, 10, 206, text],
  ['more bytes than the file has', 0, 11, 404, undefined],
])('%s', async (_what, start, end, status, body) => {
  const { http } = await startHanding({ path: 'record/u/index.mp4', start, end });
  const answer = await ask({ port: http, path: link });
  expect(answer.status).toBe(status);
  if (body !== undefined) expect(answer.body).toBe(body);
});

test.each([
  'config/.env',
  'record/../config/.env',
  '../record/u/index.mp4',
  '/etc/passwd',
  'record/u/out.mp4',
  'record/out/.env',
  'record/u',
  'record',
  'record/u/gone.mp4',
  'record/u/index.mp4\0.jpg',
  '',
])('the file %j is not served', async (path) => {
  const { http, env } = await startHanding({ path, start: 0, end: 10 });
  await symlink(join(env.dataDir, 'config/.env'), join(env.dataDir, 'record/u/out.mp4'));
  await symlink(join(env.dataDir, 'config'), join(env.dataDir, 'record/out'));
  const answer = await ask({ port: http, path: link });
  expect(answer.body).not.toContain(text);
  expect(JSON.stringify(answer.rawHeaders).toLowerCase()).not.toContain(fileHandoverHeader);
});

test('the folder of recordings may be a symbolic link to another disk', async () => {
  const { http, env } = await startHanding({ path: 'record/u/index.mp4', start: 0, end: 10 });
  await rename(join(env.dataDir, 'record'), join(env.dataDir, 'disk'));
  await symlink(join(env.dataDir, 'disk'), join(env.dataDir, 'record'));
  expect((await ask({ port: http, path: link })).body).toBe(text);
});

test.each([
  ['a response of the media server', '/api/v1/streams/', 'GET'],
  ['a response without a body', link, 'HEAD'],
  ['the response of a call', '/terraform/v1/mgmt/status', 'POST'],
])('%s is never a file', async (_what, path, method) => {
  const { http, seen } = await startHanding({ path: 'record/u/index.mp4', start: 0, end: 10 });
  const answer = await ask({ port: http, path, method, headers: { [fileOfferHeader]: '1' } });
  expect([answer.status, answer.body]).toEqual([206, '']);
  expect(JSON.stringify(answer.rawHeaders).toLowerCase()).not.toContain(fileHandoverHeader);
  expect(seen).toEqual([undefined]);
});

test('an unknown instruction gives an empty response, not a file', async () => {
  const { http } = await startHanding('all of it, please');
  const answer = await ask({ port: http, path: link });
  expect(answer.body).toBe('');
  expect(JSON.stringify(answer.rawHeaders).toLowerCase()).not.toContain(fileHandoverHeader);
});
