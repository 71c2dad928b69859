// List of a stream's clients, in which the operator can disconnect viewers.
import { Button, TextInput } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorTexts } from '../errors/error-texts.ts';
import { arrangeClients } from './arrange-streams.ts';
import { ClientRow, type ListedClient } from './client-row.tsx';
import { type ClientsResponse, useStreamSource } from './stream-source.ts';
import classes from './streams.module.css';
import { whileAllowed } from './use-streams.ts';

/** Number of rows per page, because a thousand rows would slow down typing. */
const pageRows = 50;
const searchFrom = 8;

export function ClientList({ stream }: { stream: Pick<LiveStream, 'id'> }) {
  const source = useStreamSource();
  const { data, error } = useQuery({
    ...source.clients(stream.id),
    refetchInterval: whileAllowed,
    staleTime: 0,
    retry: false,
    structuralSharing: false,
  });
  const { t } = useTranslation('streams');
  const { lineOf } = useErrorTexts();
  if (data) return <ClientTable response={data} />;
  return (
    <section className={classes.clients} aria-label={t('clients.title')}>
      <h3 className={classes.heading}>{t('clients.title')}</h3>
      {error && <p className={classes.muted}>{t('clients.failed', { reason: lineOf(error) })}</p>}
    </section>
  );
}

interface ListedClients extends ClientsResponse {
  clients: ListedClient[];
}

/** Table of clients that are already loaded. */
export function ClientTable({ response: { clients, total } }: { response: ListedClients }) {
  const { t } = useTranslation('streams');
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(pageRows);
  const wanted = useDeferredValue(search);
  const rows = useMemo(() => arrangeClients(clients, wanted), [clients, wanted]);
  return (
    <section className={classes.clients} aria-label={t('clients.title')}>
      <h3 className={classes.heading}>
        {t('clients.title')} <span className={classes.count}>{total}</span>
      </h3>
      {total >= searchFrom && (
        <TextInput
          type="search"
          size="xs"
          aria-label={t('clients.search')}
          placeholder={t('clients.search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul className={classes.clientRows}>
        {rows.slice(0, shown).map((client) => (
          <ClientRow key={client.id} client={client} />
        ))}
      </ul>
      {rows.length === 0 && <p className={classes.muted}>{t('clients.none')}</p>}
      {rows.length > shown && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + pageRows)}>
          {t('clients.more', { count: rows.length - shown })}
        </Button>
      )}
      {total > clients.length && (
        <p className={classes.muted}>{t('clients.cut', { shown: clients.length, count: total })}</p>
      )}
    </section>
  );
}
