import { Button, Drawer, Group } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { IconPlayerPlay, IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toast.ts';
import { useErrorTexts } from '../errors/error-texts.ts';
import { FindingNote } from '../stream-health/finding-note.tsx';
import type { ArrangedStream } from './arrange-streams.ts';
import { ClientList } from './client-list.tsx';
import { DetailFacts } from './detail-facts.tsx';
import { SlateBadge } from './slate-badge.tsx';
import { useStreamSource } from './stream-source.ts';
import { StreamThumbnail } from './stream-thumbnail.tsx';
import classes from './streams.module.css';

const StreamImage = lazy(() => import('../stream-image.tsx'));

export interface StreamDetailsProps {
  path: string | null;
  /** Undefined if the selected stream is not live. */
  row: ArrangedStream | undefined;
  onClose: () => void;
}

export function StreamDetails({ path, row, onClose }: StreamDetailsProps) {
  const { t } = useTranslation('streams');
  return (
    <Drawer
      opened={path !== null}
      onClose={onClose}
      position="right"
      size="min(44rem, 100vw)"
      title={path}
      withOverlay={false}
      lockScroll={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ content: classes.drawer ?? '', title: classes.drawerTitle ?? '' }}
    >
      {row ? (
        <Details key={row.stream.id} row={row} />
      ) : (
        <>
          <p className={classes.gone}>
            <StatusBadge state="stopped" /> {t('gone')}
          </p>
          <p className={classes.muted}>{t('goneAdvice')}</p>
        </>
      )}
    </Drawer>
  );
}

function Details({ row: { stream, findings } }: { row: ArrangedStream }) {
  const { t } = useTranslation('streams');
  const [isWatching, setWatching] = useState(false);
  const { flvAddress, actions, viewers } = useStreamSource();
  return (
    <div className={classes.details}>
      {isWatching ? (
        <Suspense fallback={<StreamThumbnail stream={stream} className={classes.stage} />}>
          <StreamImage address={flvAddress(stream)} />
        </Suspense>
      ) : (
        <div className={classes.poster}>
          <StreamThumbnail stream={stream} className={classes.stage} />
          <Button
            className={classes.watch ?? ''}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={() => setWatching(true)}
          >
            {t('watch')}
          </Button>
        </div>
      )}
      <SlateBadge stream={stream} />
      {findings.length > 0 && (
        <section aria-label={t('health')} className={classes.findings}>
          {findings.map((finding) => (
            <FindingNote key={finding.kind} finding={finding} />
          ))}
        </section>
      )}
      <DetailFacts stream={stream} />
      <Group gap="xs">
        {actions?.(stream)}
        <KickPublisher stream={stream} />
      </Group>
      {viewers && (
        <section aria-label={t('viewing')}>
          <h3 className={classes.heading}>{t('viewing')}</h3>
          {viewers(stream)}
        </section>
      )}
      <ClientList stream={stream} />
    </div>
  );
}

function KickPublisher({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('streams');
  const { lineOf } = useErrorTexts();
  const source = useStreamSource();
  const client = useQueryClient();
  const kick = useMutation({
    mutationFn: () => source.kickPublisher(stream),
    onSuccess: () => void showToast({ message: t('kick.publisherDone', { name: stream.stream }) }),
    onError: (error) => void showToast({ message: t('kick.failed', { reason: lineOf(error) }), tone: 'bad' }),
    onSettled: () => client.invalidateQueries({ queryKey: source.streams.queryKey }),
  });
  return (
    <ConfirmPopover
      dangerous
      text={t('kick.publisherConsequence', { name: stream.stream, count: stream.viewers })}
      onConfirm={() => kick.mutate()}
    >
      <Button
        size="xs"
        variant="default"
        loading={kick.isPending}
        leftSection={<IconPlugConnectedX size={16} aria-hidden />}
      >
        {t('kick.publisher')}
      </Button>
    </ConfirmPopover>
  );
}
