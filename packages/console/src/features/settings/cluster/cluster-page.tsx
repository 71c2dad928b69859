// ?tab=cluster: the servers that share one store, their problems, and how to add a server.
// On a single server: the benefits of a cluster, and how to start one.
import { Alert, Skeleton, Stack } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnected, IconServer2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QueryFailure } from '../../../shared/query-failure.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ClusterBegin } from './cluster-begin.tsx';
import { JoinCluster } from './join-cluster.tsx';
import { NodeList } from './node-list.tsx';
import { type Cluster, useCluster } from './queries.ts';

export default function ClusterPage() {
  const { t } = useTranslation('cluster');
  const cluster = useCluster();
  if (!cluster.data && cluster.isError)
    return <QueryFailure error={cluster.error} onRetry={() => void cluster.refetch()} />;
  if (cluster.data && !cluster.data.isShared) return <ClusterBegin />;
  return (
    <Stack gap="lg">
      <Panel
        title={t('nodes.title')}
        description={t('nodes.text', { store: cluster.data?.store ?? '…' })}
        icon={<IconServer2 size={20} aria-hidden />}
      >
        {cluster.data ? (
          <Stack gap="md">
            <Troubles troubles={cluster.data.troubles} />
            <NodeList nodes={cluster.data.nodes} />
          </Stack>
        ) : (
          <Skeleton h={240} />
        )}
      </Panel>
      <Panel title={t('join.title')} description={t('join.text')} icon={<IconPlugConnected size={20} aria-hidden />}>
        <JoinCluster />
      </Panel>
    </Stack>
  );
}

function Troubles({ troubles }: { troubles: Cluster['troubles'] }) {
  const { t } = useTranslation('cluster');
  return troubles.map(({ kind, name = '', version = '', seconds = 0, count = 0 }) => (
    <Alert
      key={`${kind} ${name}`}
      variant="light"
      color="amber"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t(`trouble.${kind}.what`, { name, version, seconds: Math.abs(seconds), count })}
    >
      {t(`trouble.${kind}.remedy`)}
    </Alert>
  ));
}
