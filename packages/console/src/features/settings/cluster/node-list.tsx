// The nodes with state, load and tasks. A button drains a node before it is stopped.
import { Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../navigation/current-locale.ts';
import { formatBitrate } from '../../../shared/format-bitrate.ts';
import { formatBytes } from '../../../shared/format-bytes.ts';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Item, ItemHeadline, ItemList } from '../../../ui/item-list.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import classes from './cluster.module.css';
import { type ClusterNode, useDrainNode } from './queries.ts';

export function NodeList({ nodes }: { nodes: readonly ClusterNode[] }) {
  const { t } = useTranslation('cluster');
  const isLast = nodes.filter(({ state }) => state === 'running').length === 1;
  return (
    <ItemList label={t('nodes.title')}>
      {nodes.map((node) => (
        <NodeItem key={node.id} node={node} isLast={isLast} />
      ))}
    </ItemList>
  );
}

function NodeItem({ node, isLast }: { node: ClusterNode; isLast: boolean }) {
  const { t } = useTranslation('cluster');
  const { name, isSelf, state, address, version, startedAt, gateways } = node;
  const facts: [string, string][] = [
    [t('node.address'), address || t('node.noAddress')],
    [t('node.version'), version],
    [t('node.since'), formatTimestamp(startedAt)],
    [t('node.gateways'), String(gateways)],
    [t('node.onlyHere'), useOnlyHere(node) || t('onlyHere.none')],
  ];
  return (
    <Item state={state} className={classes.node} trouble={state === 'draining' ? 'attention' : undefined}>
      <ItemHeadline name={name}>
        <Group gap="xs">
          {isSelf && (
            <Badge variant="light" color="gray" tt="none">
              {t('node.self')}
            </Badge>
          )}
          <StatusBadge state={state === 'running' ? 'good' : 'attention'}>{t(`state.${state}`)}</StatusBadge>
        </Group>
      </ItemHeadline>
      <FactList facts={facts} />
      <NodeLoad node={node} />
      <NodeDrain node={node} isLast={isLast && state === 'running'} />
    </Item>
  );
}

/** Describes recordings and files that only this node stores; '' without any. */
function useOnlyHere({ onlyHere }: ClusterNode): string {
  const { t } = useTranslation('cluster');
  const kinds = (['recordings', 'files'] as const).filter((kind) => onlyHere[kind] > 0);
  return kinds.map((kind) => t(`onlyHere.${kind}`, { count: onlyHere[kind] })).join(' · ');
}

function NodeLoad({ node: { load, tasks } }: { node: ClusterNode }) {
  const { t } = useTranslation('cluster');
  const locale = useLocale();
  const kinds = (['forward', 'vlive', 'transcode'] as const).filter((kind) => tasks[kind] > 0);
  const taskText = kinds.map((kind) => t(`tasks.${kind}`, { count: tasks[kind] })).join(' · ') || t('tasks.none');
  if (!load) return <Text size="sm">{t('node.noLoad')}</Text>;
  return (
    <Stack gap="sm">
      <div className={classes.meters}>
        <Meter name={t('load.cpu', { count: load.cores })} share={load.cpu} />
        <Meter
          name={t('load.memory')}
          share={load.memoryUsedBytes / Math.max(1, load.memoryTotalBytes)}
          value={`${formatBytes(load.memoryUsedBytes, locale)} / ${formatBytes(load.memoryTotalBytes, locale)}`}
        />
      </div>
      <FactList
        facts={[
          [t('load.streams'), load.streams.toLocaleString(locale)],
          [t('load.viewers'), load.viewers.toLocaleString(locale)],
          [t('load.in'), formatBitrate(load.receivedBps, locale)],
          [t('load.out'), formatBitrate(load.sentBps, locale)],
          [t('load.tasks'), taskText],
        ]}
      />
    </Stack>
  );
}

function Meter({ name, share, value }: { name: string; share: number; value?: string }) {
  const percent = Math.round(100 * share);
  return (
    <div>
      <div className={classes.meterHead}>
        <span>{name}</span>
        <span className={classes.meterValue}>{value ?? `${percent} %`}</span>
      </div>
      <Progress value={percent} size="sm" {...(percent >= 90 ? { color: 'amber' } : {})} aria-label={name} />
    </div>
  );
}

function NodeDrain({ node, isLast }: { node: ClusterNode; isLast: boolean }) {
  const { t } = useTranslation('cluster');
  const drain = useDrainNode();
  const { id, name, load, tasks } = node;
  const onlyHere = useOnlyHere(node);
  const alsoAway = onlyHere === '' ? [] : [t('drain.alsoAway', { what: onlyHere })];
  const change = (draining: boolean) => drain.mutate({ node: id, draining });
  if (node.state === 'running') {
    return (
      <Group>
        <ConfirmPopover
          dangerous
          text={[t(isLast ? 'drain.askLast' : 'drain.ask', { name }), ...alsoAway].join(' ')}
          onConfirm={() => change(true)}
        >
          <Button size="xs" variant="default" loading={drain.isPending}>
            {t('drain.start')}
          </Button>
        </ConfirmPopover>
      </Group>
    );
  }
  const left = { streams: load?.streams ?? 0, viewers: load?.viewers ?? 0 };
  const taskCount = tasks.forward + tasks.vlive + tasks.transcode;
  const isEmpty = left.streams + left.viewers + taskCount === 0;
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" role="status">
        {isEmpty ? t('drain.done') : t('drain.left', { ...left, tasks: taskCount })}
      </Text>
      <Button size="xs" variant="default" loading={drain.isPending} onClick={() => change(false)}>
        {t('drain.end')}
      </Button>
    </Group>
  );
}
