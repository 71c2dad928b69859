// Keys that open a page: "g" for go, then a letter.
import type { Screen } from '../../navigation/paths.ts';

interface PageKeys {
  keys: string;
  screen: Screen;
  /** `tab` parameter in the query of the screen. */
  tab?: string;
}

export const pageKeys: readonly PageKeys[] = [
  { keys: 'g h', screen: 'scenario', tab: 'tutorials' },
  { keys: 'g l', screen: 'scenario', tab: 'live' },
  { keys: 'g f', screen: 'scenario', tab: 'forward' },
  { keys: 'g r', screen: 'scenario', tab: 'record' },
  { keys: 'g v', screen: 'scenario', tab: 'vlive' },
  { keys: 'g t', screen: 'scenario', tab: 'transcode' },
  { keys: 'g o', screen: 'streams' },
  { keys: 'g m', screen: 'rooms' },
  { keys: 'g d', screen: 'dashboard' },
  { keys: 'g s', screen: 'settings' },
  { keys: 'g c', screen: 'components' },
];

/** The keys that open a page; undefined without a shortcut. */
export function keysOfPage(screen: Screen, tab?: string): string | undefined {
  return pageKeys.find((each) => each.screen === screen && each.tab === tab)?.keys;
}

/** Query of an address that opens the tab. */
export function searchOfTab(tab: string | undefined): string {
  return tab === undefined ? '' : `?tab=${tab}`;
}
