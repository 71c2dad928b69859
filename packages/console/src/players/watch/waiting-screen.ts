// Screen for streams that are not live: poster, and a countdown to the planned start.
import type { Locale } from '@srs-stack/contract';
import { element } from '../player-stage.ts';
import type { WatchTexts } from './watch-texts.ts';

interface Waiting {
  readonly picture: string | null;
  /** Planned start, RFC 3339; null if none is planned. */
  readonly startsAt: string | null;
}

export interface WaitingScreen {
  readonly root: HTMLElement;
  show(waiting: Waiting): void;
  hide(): void;
}

export function createWaitingScreen(t: WatchTexts, locale: Locale): WaitingScreen {
  const root = element('div', 'waiting');
  const picture = element('img');
  const message = element('div', 'message');
  const title = element('strong');
  const advice = element('p');
  const countdown = element('p', 'countdown');
  let timer: ReturnType<typeof setInterval> | undefined;
  picture.alt = '';
  root.hidden = true;
  message.setAttribute('role', 'status');
  // Hidden from screen readers, which would announce every second.
  countdown.setAttribute('aria-hidden', 'true');
  message.append(title, advice);
  root.append(picture, message, countdown);
  const count = (startsAtMs: number): void => {
    const leftMs = startsAtMs - Date.now();
    countdown.textContent = leftMs > 0 ? countedDown(leftMs, t.days) : '';
    setText(advice, leftMs > 0 ? startTime(startsAtMs, locale) : t.waiting.advice);
    setText(title, leftMs > 0 ? t.waiting.startsAt : t.waiting.title);
  };
  return {
    root,
    show: ({ picture: source, startsAt }) => {
      clearInterval(timer);
      picture.hidden = source === null;
      if (source !== null && picture.getAttribute('src') !== source) picture.src = source;
      root.classList.toggle('pictured', source !== null);
      const startsAtMs = startsAt === null ? Number.NEGATIVE_INFINITY : Date.parse(startsAt);
      count(startsAtMs);
      if (startsAtMs > Date.now()) timer = setInterval(() => count(startsAtMs), 1_000);
      root.hidden = false;
    },
    hide: () => {
      clearInterval(timer);
      root.hidden = true;
    },
  };
}

/** Assigned only when changed, because screen readers announce every assignment. */
function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Formats a time as `Friday, 1 January 2027 at 20:00 GMT+8`. */
function startTime(atMs: number, locale: Locale): string {
  const options = { dateStyle: 'full', timeStyle: 'short' } as const;
  const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${new Intl.DateTimeFormat(locale, options).format(atMs)} ${zone ?? ''}`.trim();
}

/** Formats a remaining time as `2 d 03:04:05`. @param days formats the number of days. */
export function countedDown(leftMs: number, days: (count: number) => string): string {
  const seconds = Math.ceil(leftMs / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const wholeDays = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(pad).join(':');
  return wholeDays > 0 ? `${days(wholeDays)} ${clock}` : clock;
}
