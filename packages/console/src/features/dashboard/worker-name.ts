// The name of a task in the current language: the operator's label, the platform's name, or the kind of task.
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { platformPresets } from '../../shared/push-target/platform-presets.ts';

/** Returns a function whose `subject` is a label, a platform key or `transcode`. */
export function useWorkerName(): (subject: string) => string {
  const { t } = useTranslation('dashboard');
  const presets: Readonly<Record<string, { name: string } | undefined>> = platformPresets(useLocale());
  return (subject) => (subject === 'transcode' ? t('kind.transcode') : (presets[subject]?.name ?? subject));
}
