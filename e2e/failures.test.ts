// Failures in operation: a killed server, a port in use, a folder without write permission, a killed supervisor.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Admin, call, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors, isMonotonic, packetsOf, probe } from './support/ffprobe.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, mediaServerClients, type Product, startProduct, startRefused } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { until } from './support/until.ts';

const password = 'a long first password';
const source = { video: {}, audio: {} };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-failures-'));
});
afterEach(async () => {
  await stopAllFfmpeg();
  rmSync(folder, { recursive: true });
});

describe('a server is killed during a publish', () => {
  let product: Product;
  let admin: Admin;
  let apiSecret: string;
  beforeAll(async () => {
    product = await startProduct(await portsToReturnTo());
    admin = await setUp(product, password);
    apiSecret = await admin.call(endpoints.querySecret, {});
    await admin.call(endpoints.updateBeian, { beian: 'title', text: 'Kept over a crash' });
  });
  afterAll(() => product?.remove());

  const publish = () => publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), source);
  const flvUrl = () => `${product.url}/live/lobby.flv`;
  const isPlayable = () => until('the stream plays', async () => (await fetch(flvUrl(), { method: 'HEAD' })).ok);

  async function expectStoreIntact(): Promise<void> {
    const session = await call(product, endpoints.login, { password });
    expect(await call(product, endpoints.querySecret, {}, session.bearer)).toBe(apiSecret);
    expect(await call(product, endpoints.queryBeian, {})).toMatchObject({ title: 'Kept over a crash' });
    const { publish: secret } = await admin.call(endpoints.queryPublishSecret, {});
    expect(`secret=${secret}`).toBe(admin.publishQuery);
  }

  test('the platform: viewers are not affected, calls report it and recover', async () => {
    const publisher = publish();
    await isPlayable();
    const file = join(folder, 'viewer.flv');
    const viewer = runFfmpeg(['-i', flvUrl(), '-c', 'copy', '-f', 'flv', file]);
    await viewer.sending(25);

    await product.kill('platform');
    await expect(admin.call(endpoints.status, {})).rejects.toMatchObject({
      status: 502,
      errorName: 'controlPlaneRestarting',
    });
    await answersAgain(product);
    await expectStoreIntact();

    const clients = await mediaServerClients(product);
    expect(clients).toHaveLength(2);
    await viewer.sending(125);
    await viewer.stop();
    const received = await probe(file);
    expect(isMonotonic(packetsOf(received, 'video'))).toBe(true);
    expect(await decodeErrors(file)).toBe('');
    const live = await until('the live view is back', async () => {
      return (await admin.call(endpoints.queryLive, {})).streams.find(({ hasMedia }) => hasMedia);
    });
    expect(live.stream).toBe('lobby');
    await publisher.stop();
  });

  test('the gateway: an encoder that reconnects plays again on the same ports', async () => {
    const publisher = publish();
    await isPlayable();
    const dropped = publisher.exited;
    await product.kill('gateway');
    expect(await dropped).not.toBe(0);

    await until('the encoder is admitted again', async () => {
      const again = publish();
      return again.sending(1).then(
        () => true,
        () => false,
      );
    });
    await isPlayable();
    const { file } = await recordSeconds(flvUrl(), folder, 2);
    expect(await decodeErrors(file)).toBe('');
    await answersAgain(product);
    await expectStoreIntact();
  });
});

test('both servers end when the supervisor is killed', async () => {
  const product = await startProduct();
  try {
    await product.killSupervisor();
    await until('the public port is closed', () =>
      fetch(product.url).then(
        () => false,
        () => true,
      ),
    );
    await until('the platform has exited', () => product.serversRunning() === 0);
  } finally {
    rmSync(product.dataDir, { recursive: true, force: true });
  }
});

describe('a start that cannot succeed ends with one error message and a non-zero code', () => {
  /** The output must be one message for operators, without stack trace or log record. */
  function expectOneMessage({ exitCode, output }: { exitCode: number | null; output: string }, words: RegExp): void {
    expect(exitCode).toBeGreaterThan(0);
    const messages = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(messages).toEqual([expect.stringMatching(words)]);
  }

  test.each(['RTMP_LISTEN', 'MGMT_LISTEN', 'HTTPS_LISTEN', 'SRS_API_LISTEN'])('%s is a port in use', async (name) => {
    const { server, port } = await occupyPort();
    try {
      const value = name === 'SRS_API_LISTEN' ? `127.0.0.1:${port}` : String(port);
      const refused = await startRefused({ DATA_DIR: folder, [name]: value });
      expectOneMessage(refused, new RegExp(`${port}.*${name}`));
    } finally {
      server.close();
    }
  });

  test('the data folder cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    const refused = await startRefused({ DATA_DIR: join(folder, 'file/data') });
    expectOneMessage(refused, /file\/data cannot be written .* DATA_DIR/);
  });

  test.each([
    ['RTMP_LISTEN', 'everywhere'],
    ['MERGE_WINDOW_MS', 'soon'],
    ['LOG_LEVEL', 'loud'],
  ])('%s is %s', async (name, value) => {
    expectOneMessage(await startRefused({ DATA_DIR: folder, [name]: value }), new RegExp(name));
  });

  test('FFmpeg is too old', async () => {
    const old = '#!/bin/sh\necho "ffmpeg version 4.4.2 Copyright (c) 2000-2021 the FFmpeg developers"\n';
    for (const program of ['ffmpeg', 'ffprobe']) writeFileSync(join(folder, program), old, { mode: 0o755 });
    // The path contains no apt-get, so the start cannot install a newer FFmpeg.
    const refused = await startRefused({ DATA_DIR: join(folder, 'data'), PATH: folder });
    expectOneMessage(refused, /FFmpeg 5\.1 or newer not found.*run npm start again/);
  });

  test('another server uses the data folder', async () => {
    const product = await startProduct({ DATA_DIR: folder });
    try {
      expectOneMessage(await startRefused({ DATA_DIR: folder }), /already used by a running server/);
    } finally {
      await product.stop();
    }
  });
});

async function occupyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}
