// An event as a sentence of the current language.
import { type MonitorEvent, workerReasons } from '@srs-stack/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkerName } from './worker-name.ts';

const refusals = ['publishSecretWrong', 'streamNameInvalid', 'callbackRefused', 'streamBusy'] as const;
type KnownRefusal = (typeof refusals)[number];

export function useEventText(): (event: MonitorEvent) => string {
  const { t, i18n } = useTranslation(['dashboard', 'worker']);
  const nameOf = useWorkerName();
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change with the language only
  return useCallback(
    ({ kind, subject, detail }) => {
      if (kind === 'publish-refused') {
        const known = refusals.find((name): name is KnownRefusal => name === detail);
        return t('event.publish-refused', { subject, reason: known ? t(`refusal.${known}`) : t('refusal.other') });
      }
      if (kind === 'worker-failing' || kind === 'worker-recovered') {
        const known = workerReasons.find((name) => name === detail);
        const reason = known ? t(`worker:reason.${known}.what`) : '';
        return t(`event.${kind}`, { subject: nameOf(subject), reason });
      }
      return t(`event.${kind}`, { subject, detail });
    },
    [i18n.language],
  );
}
