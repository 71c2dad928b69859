import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyRefused, copyText } from './copy-text.ts';
import { showToast } from './toast.ts';

/** Time for which a button shows the success, milliseconds. */
const copiedShownMs = 1_600;

/** Copies a text and reports success or failure as a toast. @param name name of the value in the toast, e.g. "Stream key". */
export function useCopy(name: string): { copied: boolean; copy: (text: string) => Promise<void> } {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(
    async (text: string) => {
      try {
        await copyText(text);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const reason = error instanceof CopyRefused ? t('copy.refused') : message;
        await showToast({
          tone: 'bad',
          title: t('copy.failed'),
          message: t('copy.reason', { reason }),
          lastsMs: false,
        });
        return;
      }
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), copiedShownMs);
      await showToast({ message: t('copy.done', { name }) });
    },
    [name, t],
  );
  return { copied, copy };
}
