// Forwards of the engine to nginx, over RTMP and RTMPS. The received stream decodes without errors.
// Each certificate error has its own message.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, workerDetails } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe } from './support/ffprobe.ts';
import { missingNginxRtmp, type NginxTarget, startNginxTarget } from './support/nginx-target.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { forwardRow, untilState } from './support/scenario-rows.ts';
import { createAuthority } from './support/test-authority.ts';
import { until } from './support/until.ts';

const missing = missingNginxRtmp();

describe.skipIf(missing)(`forwards of the engine to nginx${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let product: Product;
  let admin: Admin;
  let nginx: NginxTarget;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'srs-stack-push-tls-'));
    const [known, unknown] = await Promise.all([createAuthority(folder, 'known'), createAuthority(folder, 'unknown')]);
    const certificates = await Promise.all([
      known.sign('localhost'),
      known.sign('localhost', -1),
      known.sign('another.example'),
      unknown.sign('localhost'),
    ]);
    nginx = await startNginxTarget(certificates);
    product = await startProduct({ FORWARD_WITH: 'engine', NODE_EXTRA_CA_CERTS: known.file });
    admin = await setUp(product, 'push tls password');
  });
  afterAll(async () => {
    await product?.remove();
    await nginx?.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const platform of Object.keys((await admin.call(endpoints.forwardSecret, {})) ?? {})) {
      await admin.call(endpoints.removeForward, { platform });
    }
    await stopAllFfmpeg();
  });

  const forward = (platform: string, server: string, secret: string) =>
    admin.call(endpoints.forwardSecret, { action: 'update', platform, server, secret, enabled: true, custom: true });
  const publish = () =>
    publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} }).sending(20);

  it('nginx takes the stream over RTMP and RTMPS, and what it sends to players decodes', async () => {
    await publish();
    const ways = [
      ['wx', nginx.rtmp],
      ['bilibili', nginx.rtmps[0]!],
    ] as const;
    for (const [platform, server] of ways) {
      await forward(platform, server, `key-${platform}`);
      await untilState('running', () => forwardRow(admin, platform));
      // The recording may start in the middle of a GOP. FFmpeg then drops the frames before the next keyframe.
      const { file } = await recordSeconds(`${nginx.rtmp}/key-${platform}`, folder, 5);
      const decoder = runFfmpeg(['-xerror', '-i', file, '-f', 'null', '-']);
      expect(await decoder.exited, decoder.log()).toBe(0);
      const received = await probe(file);
      expect(packetsOf(received, 'video').length).toBeGreaterThan(60);
      expect(packetsOf(received, 'audio').length).toBeGreaterThan(60);
      expect(await forwardRow(admin, platform)).toMatchObject({ state: 'running', restarts: 0, pid: 0 });
    }
  });

  it('reports each fault of a certificate, and other targets continue', async () => {
    const [valid = '', expired = '', misnamed = '', untrusted = ''] = nginx.rtmps;
    await publish();
    await forward('wx', valid, 'good');
    await untilState('running', () => forwardRow(admin, 'wx'));
    const faults = [
      ['forwarding-expired', expired, 'certificate-expired'],
      ['forwarding-misnamed', misnamed, 'certificate-name'],
      ['forwarding-untrusted', untrusted, 'certificate-untrusted'],
      ['forwarding-plain', nginx.rtmp.replace('rtmp:', 'rtmps:'), 'tls-closed'],
    ] as const;
    for (const [platform, server, key] of faults) {
      await forward(platform, server, 'secret-key-of-target');
      const row = await until(`${platform} has a reason`, async () => {
        const now = await forwardRow(admin, platform);
        return now.reason === 'none' ? undefined : now;
      });
      expect(row, platform).toMatchObject({ reason: 'tls-failed', reasonDetail: workerDetails[key] });
    }
    expect(await forwardRow(admin, 'wx')).toMatchObject({ state: 'running', restarts: 0 });
  });
});
