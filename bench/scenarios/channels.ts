// A channel that plays a prepared file of 2 Mbps while nobody watches.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiSecret } from '../conf/product.ts';
import { processFigures } from '../lib/process-figures.ts';
import { postCall } from '../lib/product-api.ts';
import { untilMet } from '../lib/worker-processes.ts';
import { streamKbps } from './http-flv.ts';
import { switchHlsOff } from './ingest.ts';
import { isMergeVariant, type Scenario, windowSeconds } from './scenario.ts';

const shape = { height: 720, fps: 25, kbps: streamKbps, zone: 'UTC' } as const;
const fileSeconds = 30;
/** Wait after the start of a channel, milliseconds. A new channel reads media ahead and sends a burst. */
const settleMs = 3_000;

interface State {
  readonly channel: { readonly id: string };
  readonly state: string;
  readonly now: { readonly item: string } | null;
  readonly preparation: { readonly ready: number; readonly total: number };
}

const callChannel = (path: string, body: object): Promise<unknown> =>
  postCall(`/terraform/v1/live/channel/${path}`, body, apiSecret);

/** Creates the file of the channel. Noise makes the encoder use the whole bitrate. */
function makeFilm(): string {
  const folder = process.env.BENCH_MEDIA ?? join(tmpdir(), 'srs-stack-bench-media');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `channel-${fileSeconds}.mp4`);
  if (existsSync(file)) return file;
  const unfinished = join(folder, `channel-${process.pid}.mp4`);
  const video = `testsrc2=s=1280x720:r=25:d=${fileSeconds},noise=alls=30:allf=t`;
  const inputs = ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', `sine=r=48000:d=${fileSeconds}`];
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...inputs, ...encoder, unfinished]);
  renameSync(unfinished, file);
  return file;
}

const channel: Scenario = {
  id: 'channel',
  title: `A channel of prepared files, ${streamKbps / 1_000} Mbps, no viewers, HLS off`,
  table: 'channel',
  isQuick: true,
  rounds: 2,
  estimatedSeconds: 75,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const windowMs = windowSeconds(30, scale) * 1_000;
    run.record.facts = { kbps: streamKbps };
    const film = makeFilm();
    await run.startServer();
    await switchHlsOff(run.server);
    copyFileSync(film, join(run.server.env?.DATA_DIR ?? '', 'channel-film.mp4'));
    const library = await postCall('/terraform/v1/ffmpeg/vlive/server', { file: '/data/channel-film.mp4' }, apiSecret);
    const { target: source } = library as { target: string };
    const item = { id: '', kind: 'file', source, name: 'film', minutes: 0 };
    const draft = { title: run.stream, stream: run.stream, ...shape, playlist: [item], weekly: [] };
    const { id } = (await callChannel('create', draft)) as { id: string };
    await callChannel('switch', { id, enabled: true });
    const preparedMs = await untilMet('the file is prepared and on the air', async () => {
      const { channels } = (await callChannel('list', {})) as { channels: State[] };
      const own = channels.find((each) => each.channel.id === id);
      return own?.state === 'on-air' && own.preparation.ready === own.preparation.total && own.now?.item !== '';
    });
    await delay(settleMs);
    const [before, startedAt] = [processFigures(run.mediaPid), performance.now()];
    await run.measureFor(windowMs);
    const cores = ((processFigures(run.mediaPid).cpu - before.cpu) * 1_000) / (performance.now() - startedAt);
    run.record.tools.channel = { cores, preparedMs };
    await callChannel('remove', { id });
  },
};

export const channelScenarios = [channel];
