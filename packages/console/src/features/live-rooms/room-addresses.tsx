// Publish and watch addresses of the room. They are collapsed, because most rooms are for guests.
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../shared/publish-guide/use-addresses.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './live-rooms.module.css';
import type { RoomRow } from './queries.ts';

export function RoomAddresses({ room }: { room: RoomRow['room'] }) {
  const { t } = useTranslation('live-rooms');
  const addresses = useAddresses(room.stream, room.secret);
  return (
    <details className={classes.addresses}>
      <summary>{t('addresses.title')}</summary>
      <div className={classes.addressFields}>
        <CopyField label={t('addresses.server')} value={addresses.rtmpServer} />
        <CopyField label={t('addresses.key')} value={addresses.rtmpStreamKey} secret hint={t('addresses.hint')} />
        <CopyField label={t('addresses.srt')} value={addresses.srtPublishUrl} secret />
        <CopyField label={t('addresses.whip')} value={addresses.whipUrl} secret />
        <CopyField
          label={t('addresses.watch')}
          value={addresses.watchPage}
          hint={
            <Anchor href={addresses.watchPage} target="_blank" rel="noopener" inherit>
              {t('watch')}
            </Anchor>
          }
        />
      </div>
    </details>
  );
}
