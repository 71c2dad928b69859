// The live rooms, with invitations for guests and addresses for encoders.
import { Button, Skeleton } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { CreateRoom } from './create-room.tsx';
import classes from './live-rooms.module.css';
import { useRooms } from './queries.ts';
import { RoomCard } from './room-card.tsx';

export default function LiveRoomsPage() {
  const { t } = useTranslation('live-rooms');
  const rooms = useRooms();
  const [isCreating, setIsCreating] = useState(false);
  const rows = rooms.data?.rooms;
  const open = (label: string) => (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIsCreating(true)}>
      {label}
    </Button>
  );
  if (!rows) {
    return (
      <>
        <PageTitle title={t('title')}>{t('about')}</PageTitle>
        <QueryPlaceholder query={rooms} skeleton={<Skeleton height={720} />} />
      </>
    );
  }
  return (
    <>
      <PageTitle title={t('title')}>{t('about')}</PageTitle>
      {isCreating && <CreateRoom onClose={() => setIsCreating(false)} />}
      {!isCreating && rows.length > 0 && <div className={classes.bar}>{open(t('new.open'))}</div>}
      {!isCreating && rows.length === 0 && (
        <EmptyState icon={<IconUsersGroup aria-hidden />} title={t('none.title')} action={open(t('none.action'))}>
          {t('none.text')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className={classes.rooms} aria-label={t('list')}>
          {rows.map((row) => (
            <li key={row.room.uuid}>
              <RoomCard row={row} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
