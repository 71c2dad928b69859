import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../ui/toast.ts';
import { randomStreamName, readStreamName, storeStreamName } from './stream-name.ts';

export interface StreamName {
  name: string;
  /** Stores a valid name and shows a confirmation. */
  change(name: string): void;
  renew(): void;
}

export function useStreamName(): StreamName {
  const { t } = useTranslation('live');
  const [name, setName] = useState(() => readStreamName(localStorage));
  const change = useCallback(
    (next: string) => {
      storeStreamName(localStorage, next);
      setName(next);
      void showToast({ message: t('name.changed', { name: next }) });
    },
    [t],
  );
  const renew = useCallback(() => change(randomStreamName()), [change]);
  return { name, change, renew };
}
