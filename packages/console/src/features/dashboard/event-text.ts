// Formats an event as a sentence in the current language.
import type { MonitorEvent, SettingChangeKey, WirePhrase } from '@srs-stack/contract';
import { bucketProblemKinds } from '@srs-stack/contract/values/object-storage.ts';
import { workerReasons } from '@srs-stack/contract/values/workers.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { phraseText } from '../../i18n/phrase-text.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { useWorkerName } from './worker-name.ts';

const refusals = ['publishSecretWrong', 'streamNameInvalid', 'callbackRefused', 'streamBusy'] as const;
type KnownRefusal = (typeof refusals)[number];

export function useEventText(): (event: MonitorEvent) => string {
  const { t, i18n } = useTranslation(['dashboard', 'worker', 'bucket']);
  const nameOf = useWorkerName();
  const changeText = (change: WirePhrase) =>
    phraseText(change, {
      has: (key) => i18n.exists(`dashboard:change.${key}`),
      format: (key, values) => t(`change.${key as SettingChangeKey}`, readable(values, nameOf, i18n.language)),
      separator: t('changeSeparator'),
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change with the language only
  return useCallback(
    ({ kind, subject, detail, change }) => {
      if (kind === 'publish-refused') {
        const known = refusals.find((name): name is KnownRefusal => name === detail);
        return t('event.publish-refused', { subject, reason: known ? t(`refusal.${known}`) : t('refusal.other') });
      }
      if (kind === 'worker-failing' || kind === 'worker-recovered') {
        const known = workerReasons.find((name) => name === detail);
        const reason = known ? t(`worker:reason.${known}.what`) : '';
        return t(`event.${kind}`, { subject: nameOf(subject), reason });
      }
      if ((kind === 'engine-away' || kind === 'engine-back') && subject !== '') {
        return t(`serverEvent.${kind}`, { subject });
      }
      if (kind === 'bucket-failing') {
        const known = bucketProblemKinds.find((name) => name === detail);
        return t('event.bucket-failing', { subject, reason: known ? t(`bucket:problem.${known}.what`) : detail });
      }
      const translated = change && changeText(change);
      // `change` describes the subject of `stream-kicked`, and the detail of every other kind. Older servers send only text.
      return t(
        `event.${kind}`,
        kind === 'stream-kicked' ? { subject: translated ?? subject } : { detail: translated ?? detail, subject },
      );
    },
    [i18n.language],
  );
}

type Values = Record<string, string | number>;

function readable(values: Values, nameOf: (subject: string) => string, locale: string): Values {
  const { platform, until, begin, bytes } = values;
  return {
    ...values,
    ...(platform !== undefined && { platform: nameOf(String(platform)) }),
    ...(until !== undefined && { until: formatTimestamp(String(until)).split(' ', 1)[0] ?? '' }),
    ...(begin !== undefined && { begin: formatTimestamp(String(begin)) }),
    ...(typeof bytes === 'number' && { bytes: formatBytes(bytes, locale) }),
  };
}
