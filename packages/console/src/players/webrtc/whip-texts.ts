// Texts of the publisher page in the viewer's language, from `locales/`.
import type { Locale } from '@srs-stack/contract';
import { ofLocale } from '../../i18n/of-locale.ts';
import { fill, type Message, messagesOf, textsByLocale } from '../locale-texts.ts';
import type { CaptureProblemKind, PictureSource } from './capture.ts';
import type { RtcAddressProblem } from './rtc-address.ts';
import type { RtcProblemKind } from './rtc-problem.ts';

type Words = typeof import('./locales/zh.json');

const texts = textsByLocale(
  import.meta.glob<Words>('./locales/*.json', { eager: true, import: 'default' }),
  import.meta.glob<Words>('../../i18n/languages/*/webrtc.json', { eager: true, import: 'default' }),
);

export type WhipTexts = ReturnType<typeof toWhipTexts>;

function toWhipTexts(own: Words) {
  const picture: Record<PictureSource, string> = own.picture;
  const problem: Record<RtcProblemKind, Message> = messagesOf(own.problem);
  const capture: Record<CaptureProblemKind, Message> = messagesOf(own.capture);
  const addressProblem: Record<RtcAddressProblem, Message> = messagesOf(own.addressProblem);
  const limitedBy: Readonly<Record<string, string | undefined>> = own.limitedBy;
  const { previewEmpty, soundOnly, ended } = messagesOf({
    previewEmpty: own.previewEmpty,
    soundOnly: own.soundOnly,
    ended: own.ended,
  });
  return {
    ...{ ...own, picture, problem, capture, addressProblem, limitedBy, previewEmpty, soundOnly, ended },
    retryIn: (seconds: number) => fill(own.retryIn, { seconds }),
    namelessCamera: (n: number) => fill(own.namelessCamera, { n }),
    namelessMicrophone: (n: number) => fill(own.namelessMicrophone, { n }),
    recommended: (kbps: number) => fill(own.recommended, { kbps }),
  };
}

export function whipTexts(locale: Locale): WhipTexts {
  return toWhipTexts(ofLocale(texts, locale));
}
