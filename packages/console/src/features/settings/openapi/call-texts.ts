// Description and area of a call in the language of the page. English texts, and the texts of unknown calls, come from the server's OpenAPI
// document.
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
  // Checks the page language only; a text of the fallback language does not count.
  const has = (key: string) => i18n.getResource(i18n.language, 'openapi', key) !== undefined;
  return {
    summaryOf: ({ name, summary }) => (has(`call.${name}`) ? t(`call.${name as EndpointName}`) : summary),
    areaOf: ({ tag }) => (has(`group.${tag}`) ? t(`group.${tag as Area}`) : tag),
  };
}
