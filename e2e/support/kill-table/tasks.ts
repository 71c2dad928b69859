// Forwards and virtual live streams of a cluster, sent to an external server. Monitors the number of processes of each task.
import { endpoints } from '@srs-stack/contract';
import type { Admin } from '../api.ts';
import { publishTestSource } from '../ffmpeg.ts';
import { type RemotePlatform, startRemotePlatform } from '../remote-platform.ts';
import { ffmpegsWith } from '../scenario-rows.ts';
import { Pauses } from './pauses.ts';

const lookEveryMs = 150;

interface Task {
  readonly kind: 'forward' | 'vlive';
  readonly platform: string;
  readonly target: string;
  readonly pauses: Pauses;
}

export class Tasks {
  /** Number of samples since the last reset in which a task had several processes. */
  doubled = 0;
  readonly #remote: RemotePlatform;
  readonly #tasks: Task[] = [];
  readonly #timer: NodeJS.Timeout;

  private constructor(remote: RemotePlatform) {
    this.#remote = remote;
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
  }

  /** Starts a forward for each stream, and two virtual live streams of an external stream. */
  static async start(admin: Pick<Admin, 'call'>, streams: readonly string[]): Promise<Tasks> {
    const tasks = new Tasks(await startRemotePlatform());
    const { server } = tasks.#remote;
    await publishTestSource(`${server}feed`, { video: {}, audio: {} }).sending(25);
    for (const stream of streams) {
      const platform = `forwarding-${stream}`;
      const target = tasks.#add('forward', platform, `forwarded-${stream}`);
      await admin.call(endpoints.forwardSecret, { ...target, stream });
    }
    const feed = { name: 'feed', uuid: '', target: `${server}feed`, size: 0, type: 'stream' as const };
    for (const platform of ['wx', 'bilibili']) {
      const { files } = await admin.call(endpoints.vliveSource, { platform, files: [feed] });
      await admin.call(endpoints.vliveSecret, { ...tasks.#add('vlive', platform, `relayed-${platform}`), files });
    }
    return tasks;
  }

  /** Whether each task has one process, and the console reports each task as running. */
  async areRunning(admin: Pick<Admin, 'call'>): Promise<boolean> {
    if (!this.#tasks.every(({ target }) => this.#processes(target) === 1)) return false;
    const [forwards, vlives] = await Promise.all([
      admin.call(endpoints.forwardStreams, {}),
      admin.call(endpoints.vliveStreams, {}),
    ]);
    return this.#tasks.every(({ kind, platform }) =>
      (kind === 'forward' ? forwards : vlives).some((row) => row.platform === platform && row.state === 'running'),
    );
  }

  /** Longest time in which a task had no process, milliseconds. */
  get longestMs(): number {
    return Math.max(...this.#tasks.map(({ pauses }) => pauses.longestMs));
  }

  forget(): void {
    this.doubled = 0;
    for (const { pauses } of this.#tasks) pauses.forget();
  }

  async remove(): Promise<void> {
    clearInterval(this.#timer);
    await this.#remote.remove();
  }

  #add(kind: Task['kind'], platform: string, target: string) {
    this.#tasks.push({ kind, platform, target, pauses: new Pauses() });
    const isCustom = kind === 'forward';
    const where = { server: this.#remote.server, secret: target, enabled: true, custom: isCustom, label: target };
    return { action: 'update', platform, ...where };
  }

  #look(): void {
    for (const { target, pauses } of this.#tasks) {
      const processes = this.#processes(target);
      if (processes > 0) pauses.note();
      if (processes > 1) this.doubled += 1;
    }
  }

  #processes(target: string): number {
    return ffmpegsWith(`${this.#remote.server}${target}`).length;
  }
}
