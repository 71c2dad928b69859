import { element } from '../player-stage.ts';
import type { WatchTexts } from './watch-texts.ts';
import { isWay, type Way } from './watched-stream.ts';

export interface WayMenu {
  readonly root: HTMLElement;
  /** Selected protocol; undefined for automatic selection. */
  chosen(): Way[] | undefined;
  offer(ways: readonly Way[]): void;
  showNow(way: Way): void;
}

/** @param requested protocol in the page's query. */
export function createWayMenu(t: WatchTexts, requested: string | null, onChoose: () => void): WayMenu {
  const root = element('label', 'choice way', t.way);
  const select = element('select');
  const automatic = element('option', '', t.automatic);
  let shown = '';
  automatic.value = '';
  select.append(automatic);
  select.addEventListener('change', onChoose);
  root.append(select);
  return {
    root,
    chosen: () => (isWay(select.value) ? [select.value] : undefined),
    offer: (ways) => {
      if (shown === ways.join()) return;
      const before = shown === '' && isWay(requested) ? requested : select.value;
      shown = ways.join();
      const names = isWay(before) && !ways.includes(before) ? [...ways, before] : ways;
      const options = names.map((way) => {
        const option = element('option', '', t.ways[way]);
        option.value = way;
        return option;
      });
      select.replaceChildren(automatic, ...options);
      select.value = before;
    },
    showNow: (way) => {
      automatic.textContent = t.wayNow(t.ways[way]);
    },
  };
}
