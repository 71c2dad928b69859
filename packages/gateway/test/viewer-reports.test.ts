// `/watch/reports` over real sockets: which reports are accepted or refused. Nothing of a refused report is stored.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { SessionInfo } from '@srs-stack/engine';
import { noWatchSettings } from '@srs-stack/playback/access/watch-settings.ts';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { maxReportBytes } from '../src/front/limits/front-limits.ts';
import { type Fixture, startFixture } from './gateway-fixture.ts';
import { flood } from './report-flood.ts';

const viewer = { clientId: 'viewer-1', type: 'flv-play', app: 'live', stream: 'x', vhost: '__defaultVhost__' } as const;
const session = { ...viewer, ip: '127.0.0.1', param: '', tcUrl: '', pageUrl: '' } as SessionInfo;
const report = (seconds = 3, stream = 'x') => ({
  app: 'live',
  stream,
  outputs: [{ output: 'flv', seconds, stalls: 1 }],
});

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});

const address = () => `http://127.0.0.1:${fixture.http}/watch/reports`;
async function send(body: unknown): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(address(), { method: 'POST', body: text });
  await response.arrayBuffer();
  return response.status;
}
async function metrics() {
  const { srsApi } = fixture.gateway.ports;
  return (await (await fetch(`http://127.0.0.1:${srsApi}/api/v1/viewers/`)).json()) as {
    rows: { stream: string; output: string }[];
    results: Record<string, number>;
  };
}

describe('a report', () => {
  it('of a viewer is counted, also just after the end; of others it is refused', async () => {
    expect(await send(report())).toBe(403);
    await fixture.engine.ports.authorizePlay(session);
    expect(await send(report())).toBe(204);
    fixture.engine.ports.onStop(session);
    expect(await send(report(1))).toBe(204);
    expect(await send(report(1, 'other'))).toBe(403);
    const { rows, results } = await metrics();
    expect(rows).toMatchObject([{ app: 'live', stream: 'x', output: 'flv' }]);
    expect(results).toEqual({ accepted: 2, invalid: 0, unknown: 2, dropped: 0 });
  });

  it('for more time than was watched is dropped', async () => {
    await fixture.engine.ports.authorizePlay(session);
    expect(await send(report(60))).toBe(429);
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(report(0))));
    expect(responses.filter((status) => status === 204).length).toBeLessThan(20);
    expect((await metrics()).results.dropped).toBeGreaterThan(30);
  });

  it.each(['', '{', '[]', '{"app":"live","stream":"x","outputs":[{"output":"flv","seconds":-1}]}', '\u0000\uffff'])(
    'that is %j is refused',
    async (body) => {
      expect(await send(body)).toBe(400);
    },
  );

  it('that is too large is refused before it is read, with and without a length', async () => {
    expect(await send('x'.repeat(maxReportBytes + 1))).toBe(413);
    const body = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 8; index++) controller.enqueue(new Uint8Array(1024));
        controller.close();
      },
    });
    const chunked = await fetch(address(), { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await metrics()).results.invalid).toBe(2);
  });

  it('that stops halfway delays no other', async () => {
    const sockets = Array.from({ length: 200 }, () => connect(fixture.http, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets)
      socket.write('POST /watch/reports HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"app":');
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
    await fixture.engine.ports.authorizePlay(session);
    expect(await send(report())).toBe(204);
  });

  it('is neither requested nor accepted when the operator has switched reports off', async () => {
    const wants = async () => ((await (await fetch(address())).json()) as { reports: boolean }).reports;
    expect(await wants()).toBe(true);
    const settings = JSON.stringify({ ...noWatchSettings, viewerReports: false });
    await writeFile(join(fixture.env.dataDir, 'config', 'watching.json'), settings);
    await vi.waitFor(async () => expect(await wants()).toBe(false), 10_000);
    await fixture.engine.ports.authorizePlay(session);
    expect(await send(report())).toBe(404);
    expect((await metrics()).rows).toEqual([]);
  });

  it('of unknown viewers leaves no data about streams that do not exist, even after thousands of reports', async () => {
    await fixture.engine.ports.authorizePlay(session);
    const count = 3_000;
    const body = (index: number) => JSON.stringify(report(1, `forged-${index}`));
    const before = await flood(fixture.http, 1_000, body);
    const after = await flood(fixture.http, count, body);
    const { rows, results } = await metrics();
    expect(rows).toEqual([]);
    expect(results.unknown).toBe(count + 1_000);
    // Allowance for pending responses, bytes.
    expect(after - before).toBeLessThan(10 * 1024 ** 2);
  });
});
