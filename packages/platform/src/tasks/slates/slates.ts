// Slates and backup sources: which streams have them, the files of slates, made ahead of time for the shape of each stream, and the orders
// for the gateways of this machine (`config/slates.json`). What an earlier process ordered stays in effect, so that a slate on the air outlives this one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseOf } from '@srs-stack/contract';
import { slates } from '@srs-stack/contract/endpoints/settings/slates.ts';
import { matchesPattern } from '@srs-stack/playback/stream-pattern.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import {
  maxSlates,
  parseSlateOrders,
  type SlateOrder,
  slateOrdersFile,
  writeSlateOrders,
} from '@srs-stack/process/slate-orders.ts';
import type { MediaServer, MediaServerStream } from '../../media-server/media-server.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { type ChangedBy, type DeclaredSetting, openDeclared } from '../../store/setting.ts';
import type { Store } from '../../store/store.ts';
import { openSlateFiles, type SlateFiles, type SlateFilesDeps } from './slate-files.ts';
import { shapeOf } from './slate-shape.ts';

/** Interval of checks of the streams, milliseconds. */
const lookEveryMs = 1_000;
const readableByAll = 0o644;

type Values = typeof slates.document.empty;
/** An order with a slate. */
type Ordered = SlateOrder & { readonly file: string };
type Row = ResponseOf<typeof slates.query>['streams'][number];

export interface SlatesDeps extends SlateFilesDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly mediaServer: Pick<MediaServer, 'listStreams'>;
}

export async function openSlates(deps: SlatesDeps): Promise<Slates> {
  const files = await openSlateFiles(deps);
  const setting = await openDeclared(slates, deps);
  return new Slates(deps, files, setting, await readOrders(deps));
}

export class Slates {
  readonly #deps: SlatesDeps;
  readonly #files: SlateFiles;
  readonly #setting: DeclaredSetting<Values>;
  /** By `app/stream`, in the order they came. */
  readonly #orders: Map<string, Ordered>;
  /** Live streams with a slate, as they were at the last look. */
  #live: readonly MediaServerStream[] = [];
  #backupsOnAir: ResponseOf<typeof slates.query>['backupsOnAir'] = [];
  #isShareFailing = false;
  #written: { readonly text: string; readonly image: string | undefined } = { text: '', image: undefined };

  constructor(deps: SlatesDeps, files: SlateFiles, setting: DeclaredSetting<Values>, orders: readonly Ordered[]) {
    this.#deps = deps;
    this.#files = files;
    this.#setting = setting;
    this.#orders = new Map(orders.map((order) => [nameOf(order), order]));
  }

  query(): ResponseOf<typeof slates.query> {
    const live = this.#live.filter((stream) => this.#isWanted(nameOf(stream)));
    const streams = live.map((stream) => this.#rowOf(stream));
    return { ...this.#setting.query(), streams, backupsOnAir: this.#backupsOnAir };
  }

  /** `data:` URL of the image; null for a dark screen. */
  async picture(): Promise<string | null> {
    const { image } = this.#setting.current();
    const bytes = image === '' ? undefined : await this.#files.readImage(image);
    return bytes ? `data:image/jpeg;base64,${bytes.toString('base64')}` : null;
  }

  /** Throws `watermarkUnusable` for a file that is no image. */
  async change({ image, ...values }: Parameters<DeclaredSetting<Values>['change']>[0], by: ChangedBy): Promise<void> {
    try {
      if (image) await this.#files.withImage(image, (stored) => this.#setting.change({ ...values, image: stored }, by));
      else await this.#setting.change({ ...values, image }, by);
    } finally {
      // A refused change has also stored its image.
      if (image !== undefined) await this.#dropOtherImages();
    }
  }

  async #dropOtherImages(): Promise<void> {
    try {
      await this.#files.dropOtherImages(() => this.#setting.current().image);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'old images of slates are not removed from the store');
    }
  }

  /** Maintains slates until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal).catch((error) => this.#deps.log.error({ err: error }, 'slates are not looked after'));
      const pause = sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([pause, ...(this.#files.encoding ? [this.#files.encoding] : [])]);
    }
    await this.#files.encoding;
  }

  async #look(signal: AbortSignal): Promise<void> {
    // A change of the setting waits neither for the media server nor for FFmpeg.
    await this.#applySetting();
    await this.#files.refresh();
    await this.#shareImage();
    const { enabled, backups } = this.#setting.current();
    const streams = enabled || backups.length > 0 ? await this.#deps.mediaServer.listStreams() : [];
    this.#backupsOnAir = streams.flatMap((stream) => {
      const onAirMs = stream.details?.backupForMs;
      return onAirMs === undefined ? [] : [{ stream: nameOf(stream), onAirMs }];
    });
    const live = streams.filter((stream) => stream.isPublished && stream.details && this.#isWanted(nameOf(stream)));
    this.#live = live.slice(0, maxSlates);
    for (const stream of this.#live) this.#prepare(stream, signal);
    await this.#applySetting();
  }

  /** A failure is logged once; slates whose image is on the local disk need no store. */
  async #shareImage(): Promise<void> {
    try {
      await this.#files.shareImage(this.#setting.current().image);
      this.#isShareFailing = false;
    } catch (error) {
      if (!this.#isShareFailing) this.#deps.log.warn({ err: error }, 'image of the slate is not shared with the store');
      this.#isShareFailing = true;
    }
  }

  #isWanted(name: string): boolean {
    const { enabled, patterns } = this.#setting.current();
    if (!enabled || name.includes('~')) return false;
    return patterns.length === 0 || patterns.some((each) => matchesPattern(each, name));
  }

  /** Orders follow the current setting. */
  async #applySetting(): Promise<void> {
    const { afterSeconds, longestMinutes } = this.#setting.current();
    for (const [name, order] of this.#orders) {
      if (this.#isWanted(name)) this.#orders.set(name, { ...order, afterSeconds, longestMinutes });
      else this.#orders.delete(name);
    }
    await this.#writeOrders();
  }

  #rowOf(stream: MediaServerStream): Row {
    const { app, stream: name, details } = stream;
    const onAirMs = details?.slateForMs;
    return { app, stream: name, ...this.#stateOf(stream), ...(onAirMs !== undefined && { onAirMs }) };
  }

  #stateOf(stream: MediaServerStream): Pick<Row, 'state' | 'progress' | 'failure'> {
    if (stream.details?.slateForMs !== undefined) return { state: 'ready' };
    if (stream.details?.backupForMs !== undefined && this.#orders.has(nameOf(stream))) return { state: 'ready' };
    const shape = shapeOf(stream);
    if (shape === undefined) return { state: 'unsupported' };
    if (shape === 'unknown') return { state: 'preparing' };
    const file = this.#files.pathOf(shape, this.#setting.current().image);
    if (this.#orders.get(nameOf(stream))?.file === file) return { state: 'ready' };
    const found = this.#files.stateOf(file);
    return found.state === 'ready' ? { state: 'preparing', progress: 1 } : found;
  }

  /** Orders the file of the stream, or creates it if it does not exist; the previous order stays until then. */
  #prepare(stream: MediaServerStream, signal: AbortSignal): void {
    const shape = shapeOf(stream);
    const isReplaced = stream.details?.slateForMs !== undefined || stream.details?.backupForMs !== undefined;
    // A stream that shows its slate or its backup has the shape of that.
    if (shape === undefined || shape === 'unknown' || isReplaced) return;
    const { afterSeconds, longestMinutes, image } = this.#setting.current();
    const file = this.#files.pathOf(shape, image);
    if (this.#files.stateOf(file).state !== 'ready') {
      this.#files.prepare(shape, image, signal);
      return;
    }
    const { app, stream: name } = stream;
    this.#orders.delete(nameOf(stream));
    this.#orders.set(nameOf(stream), { app, stream: name, afterSeconds, longestMinutes, file });
    // The oldest give way; a live stream is ordered anew with each look.
    for (const old of [...this.#orders.keys()].slice(0, -maxSlates)) this.#orders.delete(old);
  }

  /** A backup needs no slate, and is ordered whether the stream is live or not. */
  #withBackups(): SlateOrder[] {
    const { backups, afterSeconds, longestMinutes } = this.#setting.current();
    const orders = new Map<string, SlateOrder>(this.#orders);
    for (const { stream, backup } of backups) {
      const slate = orders.get(stream) ?? { ...keyOf(stream), afterSeconds, longestMinutes };
      orders.set(stream, { ...slate, backup: keyOf(backup) });
    }
    return [...orders.values()];
  }

  /** Writes the orders when they or the image have changed, then removes unneeded files. */
  async #writeOrders(): Promise<void> {
    const orders = this.#withBackups().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    const text = writeSlateOrders(orders);
    const { image } = this.#setting.current();
    if (text === this.#written.text && image === this.#written.image) return;
    await writeFileAtomically(ordersPath(this.#deps), text, readableByAll);
    this.#written = { text, image };
    await this.#files.keepOnly(
      orders.flatMap(({ file }) => file ?? []),
      () => this.#setting.current().image,
    );
  }
}

function nameOf({ app, stream }: { readonly app: string; readonly stream: string }): string {
  return `${app}/${stream}`;
}

/** The stream name follows the last slash. */
function keyOf(path: string): { readonly app: string; readonly stream: string } {
  const slash = path.lastIndexOf('/');
  return { app: path.slice(0, slash), stream: path.slice(slash + 1) };
}

function ordersPath({ dataDir }: Pick<SlatesDeps, 'dataDir'>): string {
  return join(dataDir, 'config', slateOrdersFile);
}

/** None when there is no file, or one that cannot be read. */
async function readOrders(deps: SlatesDeps): Promise<Ordered[]> {
  try {
    const orders = parseSlateOrders(await readFile(ordersPath(deps), 'utf8'));
    return orders.flatMap(({ backup: _, file, ...order }) => (file ? [{ ...order, file }] : []));
  } catch {
    return [];
  }
}
