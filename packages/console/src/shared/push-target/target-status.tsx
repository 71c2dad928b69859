import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryPlaceholder } from '../query-placeholder.tsx';
import { StatusTable } from '../worker/status-table.tsx';
import { PlatformLogo } from './platform-logo.tsx';
import { inPageOrder, presetOfTarget, targetName } from './push-targets.ts';

type TableRow = ComponentProps<typeof StatusTable>['rows'][number];
type TargetRow = Omit<Parameters<typeof targetName>[0], 'server'> &
  TableRow['facts'] & { platform: string } & Pick<
    TableRow,
    'reasonDetail' | 'detail' | 'heartbeat' | 'push' | 'lastError'
  >;

export interface TargetStatusProps<Row extends TargetRow> {
  /** Saved settings by platform. `server` determines the logo. */
  targets: Readonly<Record<string, { server: string } | undefined>>;
  rows: UseQueryResult<Row[]>;
  sourceOf: (row: Row) => string;
  texts: { title: string; emptyTitle: string; empty: string; active: string };
  emptyIcon: ReactNode;
  onOpen: (platform: string) => void;
}

export function TargetStatus<Row extends TargetRow>(props: TargetStatusProps<Row>) {
  const { targets, rows, sourceOf, texts, emptyIcon, onOpen } = props;
  const { t } = useTranslation('push-target');
  const locale = useLocale();
  if (!rows.data) return <QueryPlaceholder query={rows} skeleton={<Skeleton height="8rem" />} />;
  if (rows.data.length === 0) {
    return (
      <EmptyState compact icon={emptyIcon} title={texts.emptyTitle}>
        {texts.empty}
      </EmptyState>
    );
  }
  return (
    <StatusTable
      label={texts.title}
      activeWord={texts.active}
      asOfMs={rows.dataUpdatedAt}
      onOpen={onOpen}
      rows={inPageOrder(rows.data).map((row) => {
        const server = targets[row.platform]?.server ?? '';
        const logo = presetOfTarget({ ...row, server }, locale)?.logo ?? 'other';
        return {
          key: row.platform,
          name: targetName(row, locale) || t('unnamed'),
          logo: <PlatformLogo logo={logo} size="sm" />,
          facts: row,
          reasonDetail: row.reasonDetail,
          detail: row.detail,
          heartbeat: row.heartbeat,
          push: row.push,
          lastError: row.lastError,
          source: sourceOf(row),
        };
      })}
    />
  );
}
