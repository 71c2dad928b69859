import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ClientTable } from '../../shared/streams/client-list.tsx';
import { ApiProblem } from '../api-problem.tsx';
import { toLiveClient } from '../srs-responses.ts';
import { useSrsQuery } from './use-srs-query.ts';

export function ClientsPage() {
  const { t } = useTranslation('media-console');
  const { data, error, refetch } = useSrsQuery('clients', async (api, signal) => {
    const clients = (await api.list('clients', signal)).map((row) => ({
      ...toLiveClient(row),
      streamPath: row.url.replace(/^\//, ''),
    }));
    return { clients, total: clients.length };
  });
  if (data) return <ClientTable response={data} />;
  if (error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return <Skeleton height="12rem" radius="lg" role="status" aria-label={t('loading')} />;
}
