// Accordion item 3: the tasks, newest first, polled every ten seconds.
import { Skeleton } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { CloudTaskRow } from './cloud-task-row.tsx';
import { type CloudKind, type CloudTask, useCloudTasks } from './queries.ts';

export function CloudTasks({ kind, isOn }: { kind: CloudKind; isOn: boolean }) {
  const { t } = useTranslation('cloud-recording');
  const tasks = useCloudTasks(kind);
  const rows = tasks.data as readonly CloudTask[] | undefined;
  if (!rows) return <QueryPlaceholder query={tasks} skeleton={<Skeleton height="12rem" radius="md" />} />;
  if (rows.length === 0) {
    return (
      <EmptyState compact icon={<IconCloudUpload size={26} stroke={1.6} aria-hidden />} title={t('tasks.empty')}>
        {t(isOn ? 'tasks.emptyOn' : 'tasks.emptyOff')}
      </EmptyState>
    );
  }
  return (
    <ItemList label={t('tasks.title')}>
      {rows.map((row) => (
        <CloudTaskRow key={row.uuid} kind={kind} row={row} />
      ))}
    </ItemList>
  );
}
