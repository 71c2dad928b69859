// Searchable list of live streams. The URL contains the selected stream, whose details open beside the list.
import { Alert, Button, Select, Skeleton, TextInput } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { streamPath } from '@srs-stack/contract/addresses.ts';
import { IconBroadcastOff, IconPlugConnectedX, IconSearch, IconZoomQuestion } from '@tabler/icons-react';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../ui/empty-state.tsx';
import { arrangeStreams, type StreamOrder, streamOrders } from './arrange-streams.ts';
import { StaleMark } from './stale-mark.tsx';
import { StreamDetails } from './stream-details.tsx';
import { StreamRow } from './stream-row.tsx';
import { StreamTotals } from './stream-totals.tsx';
import classes from './streams.module.css';
import { useStreams } from './use-streams.ts';

export interface StreamListProps {
  emptyAction: ReactNode;
  failure: (error: Error, retry: () => void) => ReactNode;
}

export function StreamList({ emptyAction, failure }: StreamListProps) {
  const { t } = useTranslation('streams');
  const { response, error, receivedAtMs, retry } = useStreams();
  if (!response) return error ? failure(error, retry) : <Loading />;
  if (!response.mediaServer) {
    return (
      <Alert variant="light" color="broken" icon={<IconPlugConnectedX aria-hidden />} title={t('away.title')}>
        {t('away.advice')}
      </Alert>
    );
  }
  if (response.streams.length === 0) {
    return (
      <EmptyState
        icon={<IconBroadcastOff size={28} stroke={1.6} aria-hidden />}
        title={t('empty.title')}
        action={emptyAction}
      >
        {t('empty.text')}
      </EmptyState>
    );
  }
  return <Streams streams={response.streams} receivedAtMs={receivedAtMs} />;
}

function Streams({ streams, receivedAtMs }: { streams: readonly LiveStream[]; receivedAtMs: number }) {
  const { t } = useTranslation('streams');
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<StreamOrder>('health');
  const { opened, open, close } = useOpenedStream();
  const wanted = useDeferredValue(search);
  const rows = useMemo(() => arrangeStreams(streams, order, wanted), [streams, order, wanted]);
  const details = useMemo(() => {
    const stream = streams.find((candidate) => streamPath(candidate) === opened);
    return stream && arrangeStreams([stream], 'name', '')[0];
  }, [streams, opened]);
  return (
    <>
      <StreamTotals streams={streams} />
      <div className={classes.toolbar}>
        <TextInput
          type="search"
          className={classes.search ?? ''}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          aria-label={t('order.label')}
          className={classes.order ?? ''}
          allowDeselect={false}
          value={order}
          onChange={(value) => setOrder(value as StreamOrder)}
          data={streamOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
        />
        <StaleMark receivedAtMs={receivedAtMs} />
      </div>
      {rows.length === 0 ? (
        <EmptyState
          compact
          icon={<IconZoomQuestion size={26} aria-hidden />}
          title={t('nothingFound', { search: wanted })}
          action={
            <Button variant="default" onClick={() => setSearch('')}>
              {t('showAll')}
            </Button>
          }
        />
      ) : (
        <ul className={classes.list} aria-label={t('list')}>
          {rows.map((row) => (
            <StreamRow key={row.stream.id} row={row} isOpen={row.path === opened} onOpen={open} />
          ))}
        </ul>
      )}
      <StreamDetails path={opened} row={details} onClose={close} />
    </>
  );
}

/** The URL contains the selected stream (`?stream=live/livestream`), so links and the Back button work. */
function useOpenedStream() {
  const [params, setParams] = useSearchParams();
  const open = useCallback(
    (path: string) => setParams((before) => new URLSearchParams({ ...Object.fromEntries(before), stream: path })),
    [setParams],
  );
  const close = useCallback(
    () =>
      setParams((before) => {
        before.delete('stream');
        return before;
      }),
    [setParams],
  );
  return { opened: params.get('stream'), open, close };
}

function Loading() {
  const { t } = useTranslation('streams');
  return (
    <div className={classes.loading} role="status" aria-label={t('loading')}>
      <Skeleton height={58} radius="lg" />
      <Skeleton height={36} width="min(28rem, 100%)" />
      {Array.from({ length: 3 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={index} height={72} radius="lg" />
      ))}
    </div>
  );
}
