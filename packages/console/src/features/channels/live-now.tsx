// Reports that a channel plays a live stream instead of its files, or that this stream is missing.
import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconBroadcast } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ChannelState } from './queries.ts';

export function LiveNow({ live }: { live: ChannelState['live'] }) {
  const { t } = useTranslation('channels');
  if (!live) return null;
  const { stream, cause, isOnAir } = live;
  if (isOnAir) {
    return (
      <Alert variant="light" icon={<IconBroadcast aria-hidden />} title={t('live.onAir', { stream })}>
        {t(`live.${cause}`)}
      </Alert>
    );
  }
  return (
    <Alert color="amber" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('live.absent', { stream })}>
      {t(`live.${cause}Absent`)}
    </Alert>
  );
}
