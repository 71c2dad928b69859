import { useTranslation } from 'react-i18next';
import { useAcquireStream } from '../queries.ts';
import { validateStreamUrl } from '../validate-vlive.ts';
import { AddressForm } from './address-form.tsx';
import type { AcquireFormProps } from './server-file-form.tsx';

export function StreamUrlForm({ isChecking, onAcquired }: AcquireFormProps) {
  const { t } = useTranslation('vlives');
  const acquire = useAcquireStream();
  const submit = async (url: string) => {
    const problem = validateStreamUrl(url);
    if (problem) return t(`stream.problem.${problem}`);
    const item = await acquire.mutateAsync({ url }).catch(() => undefined);
    if (item) await onAcquired({ ...item, path: '', size: 0, type: 'stream' });
    return undefined;
  };
  return (
    <AddressForm
      label={t('stream.label')}
      hint={t('stream.hint')}
      placeholder="rtmp://host/live/stream"
      isBusy={isChecking || acquire.isPending}
      failure={acquire.error}
      onSubmit={submit}
    />
  );
}
