// Sources of virtual live streams: remote streams, files of the server, and uploads. All sources are probed before use.
import { randomUUID } from 'node:crypto';
import {
  type AcquiredSource,
  AppError,
  because,
  type MediaSource,
  type MediaSourceItem,
  verbatim,
} from '@srs-stack/contract';
import { createPlaces } from '../../concurrency/places.ts';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { MediaLibrary } from '../../files/media-library.ts';
import { checkAddress, judgeHost, pullSchemes } from '../../network/address-rule.ts';
import { withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import { type MediaFacts, type ProbeTarget, probeMedia } from '../../workers/ffprobe.ts';
import { takeRunLimits } from '../../workers/run-limits.ts';
import type { SourceProxy } from '../../workers/source-proxy.ts';

/** Maximum number of parallel ffprobe processes. Each process may use `maxProbeMemoryBytes`. */
const maxProbesAtOnce = 4;
const httpMedia = /\.(?:flv|m3u8|ts)$/i;

export interface VliveSources {
  checkStreamUrl(url: string): AcquiredSource;
  acquireFile(file: string): Promise<AcquiredSource>;
  /** Probes the sources and keeps their files. Deletes unusable uploads. */
  adopt(items: readonly MediaSourceItem[]): Promise<MediaSource[]>;
}

export interface VliveSourcesDeps {
  readonly library: MediaLibrary;
  readonly folders: MediaFolders;
  /** `vlive`: maximum bitrate of a source, kbit/s. */
  readonly limits: { current(): { readonly vlive: number } };
  readonly proxy: Pick<SourceProxy, 'environmentFor'>;
  readonly probe?: (target: ProbeTarget) => Promise<MediaFacts>;
}

type Probed = { readonly item: MediaSourceItem; readonly facts: MediaFacts };

export function createVliveSources(deps: VliveSourcesDeps): VliveSources {
  return new CheckedVliveSources(deps);
}

class CheckedVliveSources implements VliveSources {
  readonly #deps: VliveSourcesDeps;
  readonly #places = createPlaces(maxProbesAtOnce);

  constructor(deps: VliveSourcesDeps) {
    this.#deps = deps;
  }

  checkStreamUrl(url: string): AcquiredSource {
    if (url === '') throw new AppError('invalidRequest', because('source.address-missing'));
    checkStreamAddress(withEncodedUserInfo(url));
    const path = url.split('?', 1)[0] ?? '';
    return { name: path.split('/').filter(Boolean).at(-1) ?? url, uuid: randomUUID(), target: url, size: 0 };
  }

  acquireFile(file: string): Promise<AcquiredSource> {
    return this.#deps.library.acquire(file);
  }

  async adopt(items: readonly MediaSourceItem[]): Promise<MediaSource[]> {
    if (items.length === 0) throw new AppError('invalidRequest', because('source.none'));
    if (items.some(({ target }) => target === '')) throw new AppError('invalidRequest', because('source.no-target'));
    if (items.length > 1 && items.some(isStream))
      throw new AppError('invalidRequest', because('source.stream-in-playlist'));
    const probed: Probed[] = [];
    for (let start = 0; start < items.length; start += maxProbesAtOnce) {
      probed.push(
        ...(await Promise.all(items.slice(start, start + maxProbesAtOnce).map((item) => this.#probeItem(item)))),
      );
    }
    for (const each of probed) await this.#checkBitrate(each);
    checkLayouts(probed);
    const kept: MediaSource[] = [];
    for (const { item, facts } of probed) {
      const { layout: _, ...details } = facts;
      const target = isStream(item) ? item.target : await this.#deps.library.keep(item.target);
      kept.push({ ...item, target, ...details });
    }
    return kept;
  }

  #probe(target: ProbeTarget) {
    return this.#places(() => (this.#deps.probe ?? probeMedia)(target));
  }

  async #discardUnusable<T>(item: MediaSourceItem, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof AppError && error.errorName === 'mediaUnusable')
        await this.#deps.library.discard(item.target);
      throw error;
    }
  }

  async #checkBitrate({ item, facts }: Probed) {
    const { vlive } = this.#deps.limits.current();
    const kbps = Number(facts.format.bit_rate) / 1_000;
    // A live source reports no bitrate (NaN) and is accepted.
    if (!(kbps > vlive)) return;
    throw new AppError(
      'sourceBitrateTooHigh',
      because('source.bitrate', {
        name: item.name || because('source.unnamed'),
        kbps: Math.round(kbps),
        maximum: vlive,
      }),
    );
  }

  async #probeItem(item: MediaSourceItem): Promise<Probed> {
    if (isStream(item)) {
      const url = withEncodedUserInfo(takeRunLimits(item.target).address);
      const { host } = checkStreamAddress(url);
      const verdict = await judgeHost(host);
      if (verdict === 'unknown') throw new AppError('mediaUnreachable', because('address.host-unknown', { host }));
      if (verdict === 'forbidden') throw new AppError('addressRefused', because('address.never-contacted', { host }));
      return { item, facts: await this.#probe({ url, environment: await this.#deps.proxy.environmentFor(url) }) };
    }
    const file = await this.#deps.folders.pathOf(item.target);
    if (!file) throw new AppError('fileNotFound', item.name ? verbatim(item.name) : because('file.choose-again'));
    return { item, facts: await this.#discardUnusable(item, () => this.#probe({ file })) };
  }
}

/** Throws unless all files have equal tracks in equal order, because FFmpeg joins files by track index. */
function checkLayouts(probed: readonly Probed[]): void {
  const other = probed.find(({ facts }) => facts.layout !== probed[0]?.facts.layout);
  if (!other) return;
  throw new AppError('mediaUnusable', because('source.other-tracks', { name: other.item.name }));
}

function isStream({ type }: MediaSourceItem): boolean {
  return type === 'stream';
}

/** Throws with the violated rule. */
export function checkStreamAddress(url: string): { host: string } {
  if (!/^(?:rtmps?|rtsp|https?|srt):\/\//i.test(url)) throw new AppError('invalidRequest', because('source.scheme'));
  const { scheme, host } = checkAddress(url, pullSchemes);
  const path = url.split(/[?#]/, 1)[0] ?? '';
  if (scheme.startsWith('http') && !httpMedia.test(path))
    throw new AppError('invalidRequest', because('source.http-form'));
  return { host };
}
