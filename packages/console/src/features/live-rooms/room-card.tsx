// One room: state, invitations, addresses, and buttons that replace the secret and remove the room.
import { Button } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../../shared/format-bitrate.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { formatDuration } from '../../shared/streams/format.ts';
import { protocolName } from '../../shared/streams/stream-parts.ts';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './live-rooms.module.css';
import { newRoomSecret } from './new-room-secret.ts';
import { type RoomRow, useRemoveRoom, useUpdateRoom } from './queries.ts';
import { RoomAddresses } from './room-addresses.tsx';
import { RoomInvitations } from './room-invitations.tsx';

export function RoomCard({ row }: { row: RoomRow }) {
  const { t } = useTranslation('live-rooms');
  const title = row.room.title || t('untitled');
  const isLater = isBefore(row);
  const badge = row.publisher ? 'live' : isLater ? 'later' : 'idle';
  return (
    <Panel
      title={title}
      icon={<IconUsersGroup size={20} aria-hidden />}
      description={<RoomState row={row} isLater={isLater} />}
      actions={<StatusBadge state={row.publisher ? 'live' : 'idle'}>{t(`badge.${badge}`)}</StatusBadge>}
    >
      <div className={classes.card}>
        <RoomInvitations row={row} />
        <RoomAddresses room={row.room} />
        <RoomButtons row={row} title={title} />
      </div>
    </Panel>
  );
}

function isBefore({ room }: RoomRow): boolean {
  return room.startsAt !== null && Date.parse(room.startsAt) > Date.now();
}

function RoomState({ row: { room, publisher, viewers }, isLater }: { row: RoomRow; isLater: boolean }) {
  const { t, i18n } = useTranslation('live-rooms');
  if (!publisher) return isLater ? t('state.later', { time: formatTimestamp(room.startsAt ?? '') }) : t('state.idle');
  const { guest, protocol, uptimeMs, bitrateKbps } = publisher;
  const publisherText =
    guest === null ? t('state.bySecret') : guest ? t('state.byGuest', { name: guest }) : t('state.byNameless');
  const metrics = [
    protocolName(protocol),
    t('since', { time: formatDuration(uptimeMs) }),
    formatBitrate(bitrateKbps * 1_000, i18n.language),
    t('viewers', { count: viewers }),
  ];
  return (
    <>
      {publisherText} <span className={classes.figures}>{metrics.join(' · ')}</span>
    </>
  );
}

function RoomButtons({ row: { room, publisher, viewers }, title }: { row: RoomRow; title: string }) {
  const { t } = useTranslation('live-rooms');
  const update = useUpdateRoom();
  const remove = useRemoveRoom();
  const replaceSecret = () =>
    update.mutate(
      { uuid: room.uuid, secret: newRoomSecret() },
      { onSuccess: () => void showToast({ message: t('secret.done', { title }) }) },
    );
  const removeRoom = () =>
    remove.mutate({ uuid: room.uuid }, { onSuccess: () => void showToast({ message: t('remove.done', { title }) }) });
  const question = publisher ? t('remove.confirmLive', { title, count: viewers }) : t('remove.confirm', { title });
  return (
    <div className={classes.buttons}>
      <ConfirmPopover dangerous text={t('secret.confirm', { title })} onConfirm={replaceSecret}>
        <Button size="xs" variant="default" loading={update.isPending}>
          {t('secret.replace')}
        </Button>
      </ConfirmPopover>
      <ConfirmPopover dangerous text={question} onConfirm={removeRoom}>
        <Button size="xs" variant="default" loading={remove.isPending}>
          {t('remove.button')}
        </Button>
      </ConfirmPopover>
    </div>
  );
}
