// Common code of the simple, alternate, SRS and WebRTC player pages.
import { followColorScheme } from './follow-color-scheme.ts';
import { viewerLocale } from './player-texts.ts';
import { createStagePlayer, type Engine, type StagePlayer } from './stage-player.ts';

export interface PlayerPage extends StagePlayer {
  readonly query: URLSearchParams;
}

export function createPlayerPage(engine: Engine): PlayerPage {
  const query = new URLSearchParams(location.search);
  const locale = viewerLocale(query, navigator.languages);
  followColorScheme();
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : locale;
  return { ...createStagePlayer({ engine, locale, hlsPage }), query };
}

/** Link to this page with the HLS address. */
function hlsPage(hlsUrl: string): string {
  const page = new URL(location.href);
  page.searchParams.set('url', hlsUrl);
  return page.href;
}
