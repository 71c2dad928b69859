// Rules and media of the ordered slates. Each new file is read once; several streams may share the file. An unreadable file is logged, and
// its streams have no slate.
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { SlateOrder } from '@srs-stack/process/slate-orders.ts';
import type { SlateMedia, SlateRule } from '../../hub/slate/slate-media.ts';
import type { EngineLogger } from '../../ports.ts';
import { readSlate } from './read-slate.ts';

/** Largest slate file, bytes. Slates stay in memory; two seconds of a 1080p image take about 200 kB. */
export const maxSlateBytes = 16 * 1024 * 1024;

export class Slates {
  readonly #log: EngineLogger;
  #orders = new Map<string, SlateOrder>();
  #media = new Map<string, SlateMedia>();
  #loading: Promise<void> = Promise.resolve();
  #round = 0;

  constructor(log: EngineLogger) {
    this.#log = log;
  }

  /** Sets the rules once their files are read. The previous rules stay in effect until then. A changed file must have a new name. */
  configure(orders: readonly SlateOrder[]): Promise<void> {
    const round = ++this.#round;
    this.#loading = this.#loading.then(() => (round === this.#round ? this.#load(orders) : undefined));
    return this.#loading;
  }

  ruleFor({ vhost, app, stream }: StreamKey): SlateRule | undefined {
    const order = this.#orders.get(nameOf(app, stream));
    if (!order) return undefined;
    const { afterSeconds, longestMinutes, file, backup } = order;
    const times = { afterMs: afterSeconds * 1000, longestMs: longestMinutes * 60_000 };
    const media = this.mediaFor({ file });
    const fileName = media && file && basename(file);
    return { ...times, media, ...(fileName && { fileName }), ...(backup && { backup: { vhost, ...backup } }) };
  }

  /** Undefined without a file, before the file is loaded, and for an unreadable file. */
  mediaFor({ file }: { readonly file?: string | undefined }): SlateMedia | undefined {
    return file === undefined ? undefined : this.#media.get(file);
  }

  async #load(orders: readonly SlateOrder[]): Promise<void> {
    const media = new Map<string, SlateMedia>();
    for (const file of new Set(orders.flatMap(({ file }) => file ?? []))) {
      const slate = this.#media.get(file) ?? (await this.#read(file));
      if (slate) media.set(file, slate);
    }
    this.#media = media;
    this.#orders = new Map(orders.map((order) => [nameOf(order.app, order.stream), order]));
  }

  async #read(file: string): Promise<SlateMedia | undefined> {
    try {
      const { size } = await stat(file);
      if (size > maxSlateBytes) throw new Error(`the slate has ${size} bytes, the limit is ${maxSlateBytes}`);
      return readSlate(await readFile(file));
    } catch (error) {
      this.#log.warn({ file, reason: (error as Error).message }, 'slate cannot be read and is not shown');
      return undefined;
    }
  }
}

function nameOf(app: string, stream: string): string {
  return `${app}/${stream}`;
}
