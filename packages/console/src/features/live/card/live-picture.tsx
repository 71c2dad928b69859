// The player inside the card: FLV by default; HLS and WebRTC for comparison. The code of a player loads when the player is shown.
import { SegmentedControl } from '@mantine/core';
import type { AddressSet } from '@srs-stack/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWebrtcAvailability } from '../../../shared/publish-guide/use-webrtc-availability.ts';
import StreamPicture from '../../../shared/stream-picture.tsx';
import classes from './live-card.module.css';

const formats = { flv: 'flvUrl', hls: 'm3u8Url', rtc: 'whepUrl' } as const satisfies Record<string, keyof AddressSet>;
type Format = keyof typeof formats;

export interface LivePictureProps {
  addresses: AddressSet;
}

export default function LivePicture({ addresses }: LivePictureProps) {
  const { t } = useTranslation('live');
  const { play } = useWebrtcAvailability();
  const [format, setFormat] = useState<Format>('flv');
  const choices: Format[] = play ? ['flv', 'hls', 'rtc'] : ['flv', 'hls'];
  return (
    <div>
      <StreamPicture address={addresses[formats[format]]} />
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
