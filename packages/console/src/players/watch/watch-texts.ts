// Texts of the watch page in the viewer's language, from `locales/`.
import type { Locale } from '@srs-stack/contract';
import { ofLocale } from '../../i18n/of-locale.ts';
import { messagesOf, textsByLocale } from '../locale-texts.ts';

type Words = typeof import('./locales/zh.json');

const texts = textsByLocale(
  import.meta.glob<Words>('./locales/*.json', { eager: true, import: 'default' }),
  import.meta.glob<Words>('../../i18n/languages/*/watch.json', { eager: true, import: 'default' }),
);

export type WatchTexts = ReturnType<typeof watchTexts>;

export function watchTexts(locale: Locale) {
  const own = ofLocale(texts, locale);
  const number = new Intl.NumberFormat(locale);
  const counted = (text: string) => (count: number) => text.replace('{{count}}', number.format(count));
  return {
    ...own,
    refused: messagesOf(own.refused),
    wayNow: (way: string) => own.wayNow.replace('{{way}}', way),
    days: counted(own.days),
    watching: counted(own.watching),
    rewind: {
      ...own.rewind,
      behind: (clock: string, time: string) => own.rewind.behind.replace('{{clock}}', clock).replace('{{time}}', time),
    },
  };
}
