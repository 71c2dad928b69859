// Receives unsaved appearance values from the console's settings form. Accepts only messages of the page's own origin.
import type { WatchLook } from '@srs-stack/contract/values/watch-info.ts';
import { accentColor, watchImageName, watchThemes } from '@srs-stack/contract/values/watch-page.ts';
import { onServer } from '../server-root.ts';
import { applyTheme } from './page-look.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export interface PreviewedLook {
  readonly look: Partial<WatchLook>;
  /** Whether to show the waiting screen. */
  readonly isWaiting: boolean;
}

/** Notifies the console that the page is ready, and receives values. */
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
    watchImageName.test(name) ? onServer(`/watch/pictures/${name}`) : null;
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
