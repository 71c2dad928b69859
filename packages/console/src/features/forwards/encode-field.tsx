// Switch for re-encoding the stream, for platforms that do not accept a change of the video configuration. Shows the CPU cost.
import { NumberInput, Stack, Switch } from '@mantine/core';
import { forwardBitrates } from '@srs-stack/contract/limits.ts';
import { useTranslation } from 'react-i18next';

/** Suggested bitrate, kbit/s: sufficient for 1080p at 30 frames per second. */
const usualKbps = 4_500;

export interface EncodeFieldProps {
  /** Bitrate, kbit/s; 0 means that the stream is not re-encoded. */
  value: number;
  /** Called with `NaN` while the field is empty. */
  onChange: (kbps: number) => void;
  error: string | undefined;
}

export function EncodeField({ value, onChange, error }: EncodeFieldProps) {
  const { t } = useTranslation('forwards');
  const isOn = value !== 0;
  return (
    <Stack gap="xs">
      <Switch
        label={t('encode.label')}
        description={t('encode.text')}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked ? usualKbps : 0)}
      />
      {isOn && (
        <NumberInput
          label={t('encode.bitrate')}
          description={t('encode.cost')}
          suffix=" kbps"
          value={Number.isNaN(value) ? '' : value}
          onChange={(next) => onChange(next === '' ? Number.NaN : Number(next) || Number.NaN)}
          error={error}
          min={forwardBitrates.min}
          max={forwardBitrates.max}
          allowDecimal={false}
          clampBehavior="none"
        />
      )}
    </Stack>
  );
}
