// The player inside the card: FLV by default; HLS and WebRTC for comparison. The code of a player loads when the player is shown.
import { SegmentedControl } from '@mantine/core';
import type { AddressSet } from '@srs-stack/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWebrtcAvailability } from '../../../shared/publish-guide/use-webrtc-availability.ts';
import StreamImage from '../../../shared/stream-image.tsx';
import classes from './live-card.module.css';

const formats = { flv: 'flvUrl', hls: 'm3u8Url', rtc: 'whepUrl' } as const satisfies Record<string, keyof AddressSet>;
type Format = keyof typeof formats;

export interface LiveImageProps {
  addresses: AddressSet;
}

export default function LiveImage({ addresses }: LiveImageProps) {
  const { t } = useTranslation('live');
  const { play } = useWebrtcAvailability();
  const [format, setFormat] = useState<Format>('flv');
  const choices: Format[] = play ? ['flv', 'hls', 'rtc'] : ['flv', 'hls'];
  return (
    <div>
      <StreamImage address={addresses[formats[format]]} />
      <SegmentedControl
        className={classes.formats ?? ''}
        size="xs"
        aria-label={t('card.format')}
        value={format}
        onChange={(value) => setFormat(value as Format)}
        data={choices.map((value) => ({ value, label: t(`card.${value}`) }))}
      />
    </div>
  );
}
