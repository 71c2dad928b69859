// What the server said of a failure, in the language of the page: the reason by its key where it has one, else its own words.
import type { ErrorName, RefusalDetailKey, WirePhrase } from '@srs-stack/contract';
import { errorCatalogue } from '@srs-stack/contract/errors.ts';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { phraseText } from '../../i18n/phrase-text.ts';
import { describeError } from './error-description.ts';

export interface ErrorWords {
  /** What is to be said beyond the explanation of the code; '' when that says it all. */
  detailOf: (error: unknown) => string;
  /** The reason of a failure that is told by its envelope's facts, e.g. of a certificate order. */
  reasonOf: (reason: WirePhrase | undefined) => string | undefined;
  /** The message in the language of the page where it has words in it, else as it came. */
  messageOf: (error: unknown) => string;
  /** Explanation and detail in one line, for a toast. */
  lineOf: (error: unknown) => string;
}

/** The texts may still be on their way when the component is drawn; they are there when something has failed. */
export function useErrorWords(): ErrorWords {
  const { t, i18n } = useTranslation('errors', { useSuspense: false });
  const reasonOf = (reason: WirePhrase | undefined) =>
    reason &&
    phraseText(reason, {
      has: (key) => i18n.exists(`errors:reason.${key}`),
      say: (key, values) => t(`reason.${key as RefusalDetailKey}`, values),
      separator: t('reasonSeparator'),
    });
  const detailOf = (error: unknown) =>
    (error instanceof ApiError ? reasonOf(error.reason) : undefined) ?? (isSaid(error) ? '' : rawMessageOf(error));
  const messageOf = (error: unknown) => {
    const { explanation } = describeError(error);
    return detailOf(error) || (explanation ? t(`explained.${explanation}.what`) : rawMessageOf(error));
  };
  const lineOf = (error: unknown) => {
    const { explanation } = describeError(error);
    const what = explanation ? t(`explained.${explanation}.what`) : '';
    return [what, detailOf(error)].filter(Boolean).join(' ');
  };
  return { detailOf, reasonOf, messageOf, lineOf };
}

/** Whether the message is only the English of what the explanation says. */
function isSaid(error: unknown): boolean {
  if (!(error instanceof ApiError) || describeError(error).explanation === undefined) return false;
  if (error.kind !== 'refused') return error.kind !== 'http';
  return isSentenceOf(error.errorName, error.message);
}

/** Whether the message is only the English sentence of its code, which a page that explains the code tells already. */
export function isSentenceOf(name: string | undefined, message: string): boolean {
  return name !== undefined && name in errorCatalogue && errorCatalogue[name as ErrorName].message === message;
}

function rawMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
