// What a call does and the area it belongs to, in the language of the page; a call this console does not know is told in
// the English of the server's own document.
import type { EndpointName } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import type { Operation } from '../../../api/try-call.ts';
import type zh from './locales/zh.json';

type Area = keyof typeof zh.group;

export interface CallTexts {
  summaryOf: (operation: Operation) => string;
  areaOf: (operation: Operation) => string;
}

export function useCallTexts(): CallTexts {
  const { t, i18n } = useTranslation('openapi');
  return {
    summaryOf: ({ name, summary }) =>
      i18n.exists(`openapi:call.${name}`) ? t(`call.${name as EndpointName}`) : summary,
    areaOf: ({ tag }) => (i18n.exists(`openapi:group.${tag}`) ? t(`group.${tag as Area}`) : tag),
  };
}
