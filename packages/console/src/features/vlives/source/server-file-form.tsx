// Form for a file in the data folder of the server.
import type { MediaSourceItem } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { useAcquireServerFile } from '../queries.ts';
import { validateServerFile } from '../validate-vlive.ts';
import { AddressForm } from './address-form.tsx';

export interface AcquireFormProps {
  isChecking: boolean;
  onAcquired: (item: MediaSourceItem) => Promise<void>;
}

export function ServerFileForm({ isChecking, onAcquired }: AcquireFormProps) {
  const { t } = useTranslation('vlives');
  const acquire = useAcquireServerFile();
  const submit = async (file: string) => {
    const problem = validateServerFile(file);
    if (problem) return t(`file.problem.${problem}`);
    const item = await acquire.mutateAsync({ file }).catch(() => undefined);
    if (item) await onAcquired({ ...item, path: file, type: 'file' });
    return undefined;
  };
  return (
    <AddressForm
      label={t('file.label')}
      hint={t('file.hint')}
      placeholder="/data/show.mp4"
      isBusy={isChecking || acquire.isPending}
      failure={acquire.error}
      onSubmit={submit}
    />
  );
}
