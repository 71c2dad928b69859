// Field for the name of a stream, such as `live/studio`. Suggests the live streams.
import { Autocomplete } from '@mantine/core';
import { maxNameLength } from '@srs-stack/contract/limits.ts';
import { useTranslation } from 'react-i18next';
import { useLiveStreams } from '../../shared/live-streams.ts';

export interface LiveStreamFieldProps {
  value: string;
  onChange: (stream: string) => void;
  /** Stream of the edited channel, which is not suggested. */
  own?: string;
}

export function LiveStreamField({ value, onChange, own = '' }: LiveStreamFieldProps) {
  const { t } = useTranslation('channels');
  const live = useLiveStreams();
  const names = (live.data?.streams ?? []).map(({ app, stream }) => `${app}/${stream}`);
  return (
    <Autocomplete
      label={t('adder.live')}
      placeholder="live/studio"
      value={value}
      onChange={onChange}
      data={[...new Set(names)].filter((name) => name !== `live/${own}`)}
      comboboxProps={{ withinPortal: false }}
      maxLength={maxNameLength}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
