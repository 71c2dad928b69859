// Menu of renditions, read on demand from the multivariant playlist (RFC 8216 §4.3.4.2).
import { element } from '../player-stage.ts';
import type { WatchTexts } from './watch-texts.ts';

export interface Rendition {
  /** Height in pixels; 0 means audio only. */
  readonly height: number;
  /** Bandwidth, bit/s. */
  readonly bandwidth: number;
}

/** Renditions in descending order, one per height. Never throws. */
export function parseRenditions(playlist: string): Rendition[] {
  const found = new Map<number, Rendition>();
  for (const [, attributes = ''] of playlist.matchAll(/^#EXT-X-STREAM-INF:(.*)$/gm)) {
    const height = Number(/RESOLUTION=\d+x(\d+)/.exec(attributes)?.[1] ?? 0);
    const bandwidth = Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes)?.[1] ?? 0);
    const known = found.get(height);
    if (!known || known.bandwidth < bandwidth) found.set(height, { height, bandwidth });
  }
  return [...found.values()].sort((a, b) => b.height - a.height);
}

export interface QualityMenu {
  readonly root: HTMLElement;
  /** Selected height in pixels; undefined for automatic selection. */
  chosen(): number | undefined;
  /** Offers the renditions of this playlist. The playlist is requested only when the menu opens, because the request may start a ladder. */
  offer(master: string): void;
  hide(): void;
}

export function createQualityMenu(t: WatchTexts, onChoose: () => void): QualityMenu {
  const root = element('label', 'choice', t.quality);
  const select = element('select');
  const automatic = element('option', '', t.automatic);
  let master = '';
  let isRead = false;
  automatic.value = '';
  select.append(automatic);
  select.addEventListener('change', onChoose);
  for (const name of ['pointerenter', 'pointerdown', 'focus']) {
    select.addEventListener(name, () => {
      read().catch(() => undefined);
    });
  }
  root.append(select);
  root.hidden = true;
  const read = async (): Promise<void> => {
    if (isRead || master === '') return;
    isRead = true;
    const playlist = await textOf(master).catch(() => '');
    const renditions = parseRenditions(playlist);
    // A ladder that is starting lists only the source, so the menu requests the playlist again when it is next opened.
    isRead = renditions.length > 1;
    const before = select.value;
    select.replaceChildren(automatic, ...renditions.map((each) => optionOf(each, t)));
    select.value = renditions.some(({ height }) => String(height) === before) ? before : '';
  };
  return {
    root,
    chosen: () => (root.hidden || select.value === '' ? undefined : Number(select.value)),
    offer: (playlist) => {
      if (playlist !== master) isRead = false;
      master = playlist;
      root.hidden = false;
    },
    hide: () => {
      root.hidden = true;
      master = '';
    },
  };
}

async function textOf(playlist: string): Promise<string> {
  const response = await fetch(playlist);
  return response.ok ? response.text() : '';
}

function optionOf({ height, bandwidth }: Rendition, t: WatchTexts): HTMLOptionElement {
  const name = height > 0 ? `${height}p` : t.soundOnly;
  const option = element('option', '', `${name} · ${(bandwidth / 1_000_000).toFixed(1)} Mbit/s`);
  option.value = String(height);
  return option;
}
