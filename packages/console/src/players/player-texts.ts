// Texts of the player pages in the viewer's language, from `locales/`.
import type { Locale } from '@srs-stack/contract';
import { ofLocale } from '../i18n/of-locale.ts';
import { codecName } from './codec-name.ts';
import { fill, type Message, messagesOf, textsByLocale } from './locale-texts.ts';
import type { MediaUrlProblem } from './media-url.ts';
import type { LatencyMeasure, PlaybackProblem } from './playback.ts';

type Words = typeof import('./locales/zh.json');

const texts = textsByLocale(
  import.meta.glob<Words>('./locales/*.json', { eager: true, import: 'default' }),
  import.meta.glob<Words>('../i18n/languages/*/players.json', { eager: true, import: 'default' }),
);

function toPlayerTexts(own: Words) {
  const problem: Record<PlaybackProblem['kind'], Message> = messagesOf(own.problem);
  const urlProblem: Record<MediaUrlProblem, Message> = messagesOf(own.urlProblem);
  const latency: Record<LatencyMeasure['kind'], Message> = messagesOf(own.latency);
  return { ...own, problem, urlProblem, latency, retryIn: (seconds: number) => fill(own.retryIn, { seconds }) };
}

export type PlayerTexts = ReturnType<typeof toPlayerTexts>;

function isKnown(tag: string | undefined): tag is Locale {
  return tag !== undefined && Object.hasOwn(texts, tag);
}

/** Language of the viewer: the `lang` query, else the first supported language of the browser, else English. */
export function viewerLocale(query: URLSearchParams, browserLanguages: readonly string[]): Locale {
  const wanted = [query.get('lang') ?? '', ...browserLanguages].map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.find(isKnown) ?? 'en';
}

export function playerTexts(locale: Locale): PlayerTexts {
  return toPlayerTexts(ofLocale(texts, locale));
}

/** Title and advice for a playback problem, with the codec if the codec is the cause. */
export function problemText(t: PlayerTexts, problem: PlaybackProblem): { title: string; advice: string } {
  const [title, advice] = t.problem[problem.kind];
  if (problem.kind === 'codec') return { title: `${title}: ${codecName(problem.codec)}`, advice };
  const detail = 'detail' in problem && problem.detail !== '' ? ` (${problem.detail})` : '';
  return { title: `${title}${detail}`, advice };
}

/** Text such as `Buffer 0.8 s`, and its explanation. */
export function latencyText(t: PlayerTexts, measure: LatencyMeasure): { text: string; meaning: string } {
  const [name, meaning] = t.latency[measure.kind];
  const value =
    measure.kind === 'jitter-buffer' ? `${Math.round(measure.seconds * 1000)} ms` : `${measure.seconds.toFixed(1)} s`;
  return { text: `${name} ${value}`, meaning };
}
