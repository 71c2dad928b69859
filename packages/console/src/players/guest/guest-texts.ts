// Texts of the guest page, including texts shared with the publisher page.
import type { Locale } from '@srs-stack/contract';
import { ofLocale } from '../../i18n/of-locale.ts';
import { messagesOf, textsByLocale } from '../locale-texts.ts';
import { type WhipTexts, whipTexts } from '../webrtc/whip-texts.ts';

type Words = typeof import('./locales/zh.json');

const texts = textsByLocale(
  import.meta.glob<Words>('./locales/*.json', { eager: true, import: 'default' }),
  import.meta.glob<Words>('../../i18n/languages/*/guest.json', { eager: true, import: 'default' }),
);

export type GuestTexts = ReturnType<typeof guestTexts>;

export function guestTexts(locale: Locale) {
  const own = ofLocale(texts, locale);
  const { busy, refused } = messagesOf({ busy: own.busy, refused: own.refused });
  const shared = whipTexts(locale);
  const publisher: WhipTexts = {
    ...shared,
    title: own.titleless,
    problem: { ...shared.problem, busy, refused, unauthorized: refused },
  };
  return {
    ...own,
    publisher,
    state: messagesOf(own.state),
    begins: (text: string, time: string) => text.replace('{{time}}', time),
  };
}
