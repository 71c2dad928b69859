// Field for the delay with which the platform receives the stream.
import { NumberInput } from '@mantine/core';
import { maxForwardDelaySeconds } from '@srs-stack/contract/limits.ts';
import { useTranslation } from 'react-i18next';

export interface DelayFieldProps {
  /** Delay, seconds. */
  value: number;
  /** Called with `NaN` while the field is empty. */
  onChange: (seconds: number) => void;
  error: string | undefined;
}

export function DelayField({ value, onChange, error }: DelayFieldProps) {
  const { t } = useTranslation('forwards');
  return (
    <NumberInput
      label={t('delay.label')}
      description={t('delay.text')}
      suffix={` ${t('delay.unit')}`}
      value={Number.isNaN(value) ? '' : value}
      onChange={(next) => onChange(next === '' ? Number.NaN : Number(next))}
      error={error}
      min={0}
      max={maxForwardDelaySeconds}
      allowDecimal={false}
      clampBehavior="none"
    />
  );
}
