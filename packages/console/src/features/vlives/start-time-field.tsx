import { CloseButton, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fromFieldText, isAhead, toFieldText } from './start-time.ts';

export interface StartTimeFieldProps {
  /** RFC 3339; '' for an immediate start. */
  startAt: string;
  isOnAir: boolean;
  onChange: (startAt: string) => void;
}

export function StartTimeField({ startAt, isOnAir, onChange }: StartTimeFieldProps) {
  const { t } = useTranslation('vlives');
  const hint = () => {
    if (startAt === '') return t('startTime.none');
    if (!isAhead(startAt, Date.now())) return t('startTime.past');
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return t(isOnAir ? 'startTime.interrupts' : 'startTime.ahead', { zone });
  };
  return (
    <TextInput
      type="datetime-local"
      label={t('startTime.label')}
      description={hint()}
      value={toFieldText(startAt)}
      onChange={(event) => onChange(fromFieldText(event.currentTarget.value))}
      rightSection={
        startAt !== '' && <CloseButton size="sm" aria-label={t('startTime.clear')} onClick={() => onChange('')} />
      }
    />
  );
}
