import { Skeleton, Table } from '@mantine/core';
import type { SrsVhostRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../shared/format-bytes.ts';
import { ApiProblem } from '../api-problem.tsx';
import classes from '../media-console.module.css';
import { useSrsQuery } from './use-srs-query.ts';

export function VhostsPage() {
  const { t, i18n } = useTranslation('media-console');
  const { data, error, refetch } = useSrsQuery('vhosts', (api, signal) => api.list('vhosts', signal));
  if (!data) {
    if (error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
    return <Skeleton height="8rem" radius="lg" role="status" aria-label={t('loading')} />;
  }
  const bytes = (value: number) => formatBytes(value, i18n.language);
  const hls = ({ enabled, fragment }: SrsVhostRow['hls']) =>
    enabled ? t('vhost.hlsOn', { seconds: fragment || '–' }) : t('vhost.hlsOff');
  return (
    <div className={classes.panel}>
      <Table.ScrollContainer
        minWidth={560}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('page.vhosts') } }}
      >
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              {(['name', 'streams', 'clients', 'received', 'sent', 'hls'] as const).map((column) => (
                <Table.Th key={column}>{t(`vhost.${column}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((row) => (
              <Table.Tr key={row.id}>
                <Table.Td>{row.name}</Table.Td>
                <Table.Td>{row.streams}</Table.Td>
                <Table.Td>{row.clients}</Table.Td>
                <Table.Td>{bytes(row.recv_bytes)}</Table.Td>
                <Table.Td>{bytes(row.send_bytes)}</Table.Td>
                <Table.Td>{hls(row.hls)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
