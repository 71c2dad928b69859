// Slates and backup sources: selects streams, encodes slates in advance for the format of each stream, and writes orders for the gateways
// of this machine (`config/slates.json`). Orders of the previous process stay in effect: a slate on the air survives a restart.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, because, changed, type ResponseOf } from '@srs-stack/contract';
import { type previewSlate, slates, type startSlate } from '@srs-stack/contract/endpoints/settings/slates.ts';
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import { matchesPattern } from '@srs-stack/playback/stream-pattern.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { maxSlates, type SlateOrder, writeSlateOrders } from '@srs-stack/process/slate-orders.ts';
import type { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { MediaLibrary } from '../../files/media-library.ts';
import type { MediaServer, MediaServerStream } from '../../media-server/media-server.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { type ChangedBy, type DeclaredSetting, openDeclared } from '../../store/setting.ts';
import type { Store } from '../../store/store.ts';
import { findFont } from './find-font.ts';
import { LastFrames, type LastFramesDeps } from './last-frames.ts';
import { SlateChoice } from './slate-choice.ts';
import { SlateClipFile } from './slate-clip.ts';
import { openSlateFiles, type SlateFiles, type SlateFilesDeps } from './slate-files.ts';
import { type Ordered, readSlateOrders, slateOrdersPath } from './slate-order-file.ts';
import { SlatePreviews, type SlatePreviewsDeps } from './slate-previews.ts';
import { shapeOf, startShape } from './slate-shape.ts';
import { StartedSlates, type StartedSlatesDeps, type StartedStream } from './started-slates.ts';

/** Interval of checking the streams, milliseconds. */
const lookEveryMs = 1_000;
/** Interval if slates show the last frame, milliseconds: the frame must be decoded and encoded before the slate starts. */
const lookForFramesEveryMs = 400;
/** Mode of the order file, because orders may contain the publish secret. */
const readableByOwner = 0o600;

type Values = typeof slates.document.empty;
type Row = ResponseOf<typeof slates.query>['streams'][number];
type WantedStart = Omit<z.output<typeof startSlate.request>, 'token'>;
type WantedPreview = Omit<z.output<typeof previewSlate.request>, 'token'>;

export interface SlatesDeps extends SlateFilesDeps, Omit<StartedSlatesDeps, 'clock'> {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly mediaServer: Pick<MediaServer, 'listStreams' | 'readKeyframe'>;
  readonly folders: Pick<MediaFolders, 'pathOf'>;
  readonly library: Pick<MediaLibrary, 'keep'>;
  readonly takeScreenshot: LastFramesDeps['takeScreenshot'];
  readonly drawPreview: SlatePreviewsDeps['drawPreview'];
  readonly canShow: boolean;
}

export async function openSlates(deps: SlatesDeps): Promise<Slates> {
  const files = await openSlateFiles(deps);
  const setting = await openDeclared(slates, deps);
  return new Slates(deps, files, setting, await readSlateOrders(deps.dataDir));
}

export class Slates {
  readonly #deps: SlatesDeps;
  readonly #files: SlateFiles;
  readonly #setting: DeclaredSetting<Values>;
  readonly #clip: SlateClipFile;
  readonly #lastFrames: LastFrames;
  readonly #started: StartedSlates;
  readonly #previews: SlatePreviews;
  readonly #choice: SlateChoice;
  readonly #orders: Map<string, Ordered>;
  #wake: () => void = () => undefined;
  #live: readonly MediaServerStream[] = [];
  #backupsOnAir: ResponseOf<typeof slates.query>['backupsOnAir'] = [];
  #isShareFailing = false;
  #written: { readonly text: string; readonly image: string | undefined } = { text: '', image: undefined };

  constructor(deps: SlatesDeps, files: SlateFiles, setting: DeclaredSetting<Values>, orders: readonly Ordered[]) {
    this.#deps = deps;
    this.#files = files;
    this.#setting = setting;
    this.#clip = new SlateClipFile(deps.folders);
    this.#previews = new SlatePreviews({ ...deps, files, clip: this.#clip });
    this.#lastFrames = new LastFrames(deps);
    this.#started = new StartedSlates(deps, orders);
    const parts = { files, clip: this.#clip, lastFrames: this.#lastFrames };
    this.#choice = new SlateChoice({ ...parts, setting: () => setting.current() });
    this.#orders = new Map(orders.filter(({ start }) => !start).map((order) => [nameOf(order), order]));
  }

  query(): ResponseOf<typeof slates.query> {
    const live = this.#live.filter((stream) => this.#isWanted(nameOf(stream)));
    const streams = live.map((stream) => this.#rowOf(stream));
    const starts = this.#started.rows((shape) => this.#choice.bestStateOf(shape));
    const facts = { streams, starts, backupsOnAir: this.#backupsOnAir, isClipMissing: this.#clip.isMissing };
    return { ...this.#setting.query(), ...facts };
  }

  /** Whether the stream is a backup. A backup must send before it is needed. */
  isBackup({ app, stream }: { app: string; stream: string }): boolean {
    return this.#setting.current().backups.some(({ backup }) => backup === `${app}/${stream}`);
  }

  /** Returns a `data:` URL; null for a black frame. */
  async picture(): Promise<string | null> {
    const { image } = this.#setting.current();
    const bytes = image === '' ? undefined : await this.#files.readImage(image);
    return bytes ? `data:image/jpeg;base64,${bytes.toString('base64')}` : null;
  }

  /** Resolves with a `data:` URL. Throws the errors of `SlatePreviews.draw`. */
  preview(wanted: WantedPreview): Promise<string> {
    const { title, text, content, clip, image } = { ...this.#setting.current(), ...withoutMissing(wanted) };
    return this.#previews.draw({
      image: wanted.image === undefined ? { stored: image } : { sent: wanted.image },
      clip: content === 'clip' ? clip : '',
      text: { title, text },
    });
  }

  /**
   * Throws `watermarkUnusable` for a file that is not an image, `slateUnusable` if a font is missing, `fileNotFound` if the clip is
   * missing.
   */
  async change({ image, ...values }: Parameters<DeclaredSetting<Values>['change']>[0], by: ChangedBy): Promise<void> {
    for (const text of [values.title, values.text]) if (text) await findFont(text);
    const sent = { ...values, ...(values.clip && { clip: await this.#keptClip(values.clip) }) };
    try {
      if (image) await this.#files.withImage(image, (stored) => this.#setting.change({ ...sent, image: stored }, by));
      else await this.#setting.change({ ...sent, image }, by);
    } finally {
      // Even a refused change has stored its image, which is then unused.
      if (image !== undefined) await this.#dropOtherImages();
    }
  }

  /** Moves an uploaded clip to the kept files of the library. Returns the new name. */
  async #keptClip(target: string): Promise<string> {
    if (target === this.#setting.current().clip) return target;
    if (!(await this.#clip.find(target))) throw new AppError('fileNotFound', because('slate.clip-missing'));
    return this.#deps.library.keep(target);
  }

  usesFile(target: string): boolean {
    return this.#setting.current().clip === target;
  }

  /** Starts a stream with its slate as soon as the slate is encoded. Throws `streamNameInvalid`, `streamBusy` or `invalidRequest`. */
  async start({ app, stream, ...wanted }: WantedStart, actor: Actor): Promise<void> {
    if (!this.#deps.canShow) throw new AppError('invalidRequest', because('slate.needs-engine'));
    if (!isValidAppName(app) || !isValidStreamName(stream)) throw new AppError('streamNameInvalid');
    const name = nameOf({ app, stream });
    const streams = await this.#deps.mediaServer.listStreams();
    const isLive = streams.some((each) => each.isPublished && nameOf(each) === name);
    if (isLive && !this.#started.has(name)) throw new AppError('streamBusy');
    const { longestMinutes } = this.#setting.current();
    if (!isLive) this.#started.add({ app, stream }, startShape(wanted), wanted.longestMinutes ?? longestMinutes);
    this.#wake();
    await this.#deps.audit.record('setting-changed', actor, changed('slates.started', { stream: name }));
  }

  /** Throws `notFound`. */
  async stop(stream: StartedStream, actor: Actor): Promise<void> {
    this.#started.remove(stream);
    await this.#writeOrders();
    await this.#deps.audit.record('setting-changed', actor, changed('slates.stopped', { stream: nameOf(stream) }));
  }

  async #dropOtherImages(): Promise<void> {
    try {
      await this.#files.dropOtherImages(() => this.#setting.current().image);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'old images of slates could not be removed from the store');
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#look(signal).catch((error) => this.#deps.log.error({ err: error }, 'slates could not be updated'));
      const pauseMs = this.#setting.current().content === 'last-frame' ? lookForFramesEveryMs : lookEveryMs;
      const pause = sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([pause, woken, ...(this.#files.encoding ? [this.#files.encoding] : [])]);
    }
    await this.#files.encoding;
  }

  async #look(signal: AbortSignal): Promise<void> {
    // Applied before everything else: a change of the setting must not wait for the media server or FFmpeg.
    await this.#applySetting();
    await this.#files.refresh();
    await this.#shareImage();
    const { enabled, backups, content, clip } = this.#setting.current();
    await this.#clip.refresh(content === 'clip' ? clip : '');
    const isNeeded = enabled || backups.length > 0 || this.#started.size > 0;
    const streams = isNeeded ? await this.#deps.mediaServer.listStreams() : [];
    this.#started.look(streams);
    this.#backupsOnAir = streams.flatMap((stream) => {
      const onAirMs = stream.details?.backupForMs;
      return onAirMs === undefined ? [] : [{ stream: nameOf(stream), onAirMs }];
    });
    const live = streams.filter((stream) => stream.isPublished && stream.details && this.#isWanted(nameOf(stream)));
    this.#live = live.slice(0, maxSlates);
    if (content === 'last-frame') await this.#lastFrames.look(this.#live, signal);
    this.#started.prepare((shape) => this.#choice.choose(shape, undefined, signal));
    for (const stream of this.#live) this.#prepare(stream, signal);
    await this.#applySetting();
  }

  /** Logs repeated failures only once. Slates need no store if the image is on the local disk. */
  async #shareImage(): Promise<void> {
    try {
      await this.#files.shareImage(this.#setting.current().image);
      this.#isShareFailing = false;
    } catch (error) {
      if (!this.#isShareFailing)
        this.#deps.log.warn({ err: error }, 'image of the slate could not be copied to the store for other nodes');
      this.#isShareFailing = true;
    }
  }

  #isWanted(name: string): boolean {
    const { enabled, patterns } = this.#setting.current();
    if (!enabled || name.includes('~')) return false;
    return patterns.length === 0 || patterns.some((each) => matchesPattern(each, name));
  }

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

  #stateOf(stream: MediaServerStream): Omit<Row, 'app' | 'stream' | 'onAirMs'> {
    if (stream.details?.slateForMs !== undefined) return { state: 'ready' };
    if (stream.details?.backupForMs !== undefined && this.#orders.has(nameOf(stream))) return { state: 'ready' };
    const shape = shapeOf(stream);
    if (shape === undefined) return { state: 'unsupported' };
    if (shape === 'unknown') return { state: 'preparing' };
    return this.#choice.stateOf(shape, nameOf(stream), stream.details?.slateFile);
  }

  /** Orders the slate file of the stream. A missing file is encoded first; until then, the previous order stays. */
  #prepare(stream: MediaServerStream, signal: AbortSignal): void {
    const name = nameOf(stream);
    const isReplaced = stream.details?.slateForMs !== undefined || stream.details?.backupForMs !== undefined;
    // A stream that shows its slate or backup has the format of what it shows, not of the source.
    const shape = this.#choice.shapeOfTaken(name) ?? (isReplaced ? undefined : shapeOf(stream));
    if (shape === undefined || shape === 'unknown') return;
    const file = this.#choice.choose(shape, name, signal);
    if (file === undefined) return;
    const { afterSeconds, longestMinutes } = this.#setting.current();
    const { app, stream: streamName } = stream;
    this.#orders.delete(name);
    this.#orders.set(name, { app, stream: streamName, afterSeconds, longestMinutes, file });
    // Removes the oldest orders. Orders of live streams return at the next check.
    for (const old of [...this.#orders.keys()].slice(0, -maxSlates)) this.#orders.delete(old);
  }

  /** Orders of live streams, started streams and backups. A stream with a backup needs no slate and may be offline. */
  #allOrders(): SlateOrder[] {
    const { backups, afterSeconds, longestMinutes } = this.#setting.current();
    const orders = new Map<string, SlateOrder>(this.#orders);
    for (const order of this.#started.orders(afterSeconds)) orders.set(nameOf(order), order);
    // A gateway accepts only a limited number of orders.
    for (const name of [...this.#orders.keys()]) {
      if ([...orders.values()].filter(({ file }) => file).length > maxSlates) orders.delete(name);
    }
    for (const { stream, backup } of backups) {
      const slate = orders.get(stream) ?? { ...keyOf(stream), afterSeconds, longestMinutes };
      orders.set(stream, { ...slate, backup: keyOf(backup) });
    }
    return [...orders.values()];
  }

  /** Writes the orders if orders or image have changed. Then removes unneeded files. */
  async #writeOrders(): Promise<void> {
    const orders = this.#allOrders().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    const text = writeSlateOrders(orders);
    const { image } = this.#setting.current();
    if (text === this.#written.text && image === this.#written.image) return;
    await writeFileAtomically(slateOrdersPath(this.#deps.dataDir), text, readableByOwner);
    this.#written = { text, image };
    await this.#files.keepOnly(
      orders.flatMap(({ file }) => file ?? []),
      () => this.#setting.current().image,
    );
  }
}

type Sent<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutMissing<T extends object>(sent: T): Sent<T> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Sent<T>;
}

function nameOf({ app, stream }: { readonly app: string; readonly stream: string }): string {
  return `${app}/${stream}`;
}

function keyOf(path: string): { readonly app: string; readonly stream: string } {
  const slash = path.lastIndexOf('/');
  return { app: path.slice(0, slash), stream: path.slice(slash + 1) };
}
