// Local recording in a temporary data folder, with real one-second segments and a clock controlled by the test.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordRow } from '@srs-stack/contract';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { thisServer } from '../actor.ts';
import { openObjects } from '../objects/open-objects.ts';
import { openRecords, type Records, type RecordsDeps } from '../recording/records.ts';
import { createAuditTrail } from '../store/audit-trail.ts';
import { openStoreFile } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { noPeers } from './no-peers.ts';

const log = pino({ level: 'silent' });
const megabyte = 1024 * 1024;

export class RecordRig {
  readonly dataDir: string;
  readonly clock = { nowMs: Date.parse('2026-01-02T03:04:05Z') };
  readonly disk = { freeBytes: 100_000 * megabyte, totalBytes: 200_000 * megabyte };
  /** Events as `{action} {uuid}`. */
  readonly events: string[] = [];
  readonly #clip: Buffer;
  #store: Store | undefined;
  #records: Records | undefined;
  #sequence = 0;

  private constructor(dataDir: string, clip: Buffer) {
    this.dataDir = dataDir;
    this.#clip = clip;
  }

  /** Records all streams. */
  static async open(): Promise<RecordRig> {
    const dataDir = await mkdtemp(join(tmpdir(), 'srs-record-'));
    const clipFile = join(dataDir, 'clip.mpegts');
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'libx264'];
    execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-preset', 'ultrafast', '-f', 'mpegts', clipFile]);
    const rig = new RecordRig(dataDir, await readFile(clipFile));
    await rig.start();
    await rig.records.rules.apply(true, thisServer);
    return rig;
  }

  get records(): Records {
    if (!this.#records) throw new Error('the recording test rig is stopped');
    return this.#records;
  }

  get store(): Store {
    if (!this.#store) throw new Error('the recording test rig is stopped');
    return this.#store;
  }

  async start(more: Partial<RecordsDeps> = {}): Promise<void> {
    const { dataDir, clock } = this;
    const now = () => new Date(clock.nowMs);
    const { store } = await openStoreFile(await openDataFolder(dataDir), now());
    this.#store = store;
    const audit = createAuditTrail({ store, log, now });
    this.#records = await openRecords({
      ...{ store, audit, log, now, dataDir, hlsPath: dataDir, peers: noPeers },
      objects: await openObjects({ store, audit, log, now }),
      nodes: { self: { id: 'a', name: 'a' }, isShared: false, list: () => [], isGone: () => false },
      monotonicMs: () => clock.nowMs,
      measureDisk: async () => this.disk,
      events: { notify: ({ action, uuid }) => this.events.push(`${action} ${uuid}`) },
      ...more,
    });
    this.#records.start();
  }

  async stop(): Promise<void> {
    await this.#records?.close();
    await this.#store?.close();
    this.#records = undefined;
    this.#store = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Writes a one-second segment and reports it, optionally with a delay. */
  async segment(stream = 's', { reportedAfterMs = 0 } = {}): Promise<void> {
    const sequenceNumber = this.#sequence++;
    const name = `${stream}-${sequenceNumber}-${this.clock.nowMs}.ts`;
    const file = join(this.dataDir, name);
    await writeFile(file, this.#clip);
    await utimes(file, this.clock.nowMs / 1000, this.clock.nowMs / 1000);
    this.clock.nowMs += reportedAfterMs;
    const source = { vhost: '', app: 'live', stream, m3u8Url: `live/${stream}.m3u8`, url: `live/${name}` };
    await this.records.onSegment({ ...source, file, durationSeconds: 1, sequenceNumber });
    await unlink(file);
  }

  rows(): RecordRow[] {
    return this.records.files({ search: '', offset: 0, limit: undefined });
  }
}
