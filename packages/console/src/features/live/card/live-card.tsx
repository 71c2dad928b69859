// The live card: shows immediately whether the stream works (waiting for the encoder → connected → video).
import { Alert, Group, Loader, Skeleton, Text } from '@mantine/core';
import type { AddressSet } from '@srs-stack/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { lazy, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryFailure } from '../../../shared/query-failure.tsx';
import { RecordStreamButton } from '../../../shared/recording/record-stream-button.tsx';
import { SlateLink } from '../../../shared/slate-link.tsx';
import { SnapshotButton } from '../../../shared/snapshots/snapshot-button.tsx';
import { SlateBadge } from '../../../shared/streams/slate-badge.tsx';
import { StatusBadge, type StatusState } from '../../../ui/status-badge.tsx';
import { KickButton } from './kick-button.tsx';
import classes from './live-card.module.css';
import type { LiveCardState } from './live-card-state.ts';
import { RefusalAlert } from './refusal-alert.tsx';
import { StreamFacts } from './stream-facts.tsx';
import { StreamHealthNotes } from './stream-health-notes.tsx';
import { useLiveCard } from './use-live-card.ts';
import { WaitingForEncoder } from './waiting-for-encoder.tsx';

const LiveImage = lazy(() => import('./live-image.tsx'));

export interface LiveCardProps {
  streamName: string;
  addresses: AddressSet;
  onChoose: (name: string) => void;
}

const badgeStates: Record<LiveCardState['kind'], StatusState> = {
  loading: 'connecting',
  unreachable: 'error',
  refused: 'error',
  waiting: 'idle',
  connected: 'connecting',
  live: 'live',
};

export function LiveCard({ streamName, addresses, onChoose }: LiveCardProps) {
  const { t } = useTranslation('live');
  const card = useRef<HTMLElement>(null);
  const { state, stale, retry } = useLiveCard(streamName, card);
  return (
    <section ref={card} className={classes.card} data-state={state.kind} aria-label={t('card.title')}>
      <header className={classes.head}>
        <h2 className={classes.title} title={addresses.streamPath}>
          {addresses.streamPath}
        </h2>
        {stale > 0 && <span className={classes.stale}>{t('card.stale', { seconds: stale })}</span>}
        <span role="status" className={classes.badges}>
          {'stream' in state && <SlateBadge stream={state.stream} />}
          <StatusBadge state={badgeStates[state.kind]}>{t(`card.state.${state.kind}`)}</StatusBadge>
        </span>
      </header>
      <CardBody {...{ state, streamName, addresses, onChoose, retry }} />
    </section>
  );
}

type CardBodyProps = LiveCardProps & { state: LiveCardState; retry: () => void };

function CardBody({ state, streamName, addresses, onChoose, retry }: CardBodyProps) {
  const { t } = useTranslation('live');
  switch (state.kind) {
    case 'loading':
      return <Skeleton h={{ base: 520, sm: 420 }} role="status" aria-label={t('card.state.loading')} />;
    case 'unreachable':
      return (
        <Alert variant="light" color="broken" icon={<IconPlugConnectedX aria-hidden />} title={t('card.away.title')}>
          {t(`card.away.${state.what}`)}
        </Alert>
      );
    case 'refused':
      return <QueryFailure error={state.error} onRetry={retry} />;
    case 'waiting':
      return (
        <WaitingForEncoder streamName={streamName} refusal={state.refusal} others={state.others} onChoose={onChoose} />
      );
    case 'connected':
      return (
        <>
          <div className={classes.waiting}>
            <Loader size="sm" aria-hidden />
            <Text fw={650} size="lg" component="h3">
              {t('connected.title')}
            </Text>
            <Text c="dimmed" size="sm">
              {t('connected.advice', { ip: state.stream.publisherIp })}
            </Text>
          </div>
          {state.refusal && <RefusalAlert note={state.refusal} />}
          <div>
            <KickButton stream={state.stream} />
          </div>
        </>
      );
    case 'live':
      return (
        <>
          <Suspense fallback={<Skeleton className={classes.picture ?? ''} />}>
            <LiveImage addresses={addresses} />
          </Suspense>
          {state.refusal && <RefusalAlert note={state.refusal} />}
          <StreamHealthNotes stream={state.stream} />
          <StreamFacts stream={state.stream} uptimeMs={state.uptimeMs} />
          <Group gap="xs">
            <RecordStreamButton app={state.stream.app} stream={state.stream.stream} />
            <SnapshotButton app={state.stream.app} stream={state.stream.stream} />
            <KickButton stream={state.stream} />
            <SlateLink />
          </Group>
        </>
      );
  }
}
