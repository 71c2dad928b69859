// Messages of the preview in the console's settings form: it shows unsaved values, which it accepts only from the console of the same
// server.
import type { WatchLook } from '@srs-stack/contract/values/watch-info.ts';
import { accentColor, watchPictureName, watchThemes } from '@srs-stack/contract/values/watch-page.ts';
import { onServer } from '../server-root.ts';
import { applyTheme } from './page-look.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export interface PreviewedLook {
  readonly look: Partial<WatchLook>;
  /** Whether the preview shows the waiting screen of a stream that is not live yet. */
  readonly isWaiting: boolean;
}

/** Receives values until the page is closed, and notifies the console that the page is ready. */
export function followPreview(onLook: (typed: PreviewedLook) => void): void {
  window.addEventListener('message', ({ data, source, origin }) => {
    const isConsole = source === window.parent && origin === location.origin;
    if (!isConsole || data?.srsStack !== 'look' || typeof data.look !== 'object' || data.look === null) return;
    const look = toLook(data.look as Record<string, unknown>);
    applyTheme(look.theme ?? 'system');
    onLook({ look, isWaiting: data.isWaiting === true });
  });
  window.parent.postMessage({ srsStack: 'preview' }, location.origin);
}

function toLook(typed: Record<string, unknown>): Partial<WatchLook> {
  const pathOf = (name: string): string | null =>
    watchPictureName.test(name) ? onServer(`/watch/pictures/${name}`) : null;
  const startsAt = text(typed.startsAt);
  return {
    ...(text(typed.name) === '' ? {} : { name: text(typed.name) }),
    text: text(typed.text),
    ...{ picture: pathOf(text(typed.picture)), logo: pathOf(text(typed.logo)) },
    accent: accentColor.test(text(typed.accent)) ? text(typed.accent) : '',
    theme: watchThemes.find((theme) => theme === typed.theme) ?? 'system',
    startsAt: Number.isNaN(Date.parse(startsAt)) ? null : startsAt,
  };
}
