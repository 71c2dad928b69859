// Accordion item 3: the recordings, newest first, in pages, polled every ten seconds.
// Totals and free space are above the list, the recycle bin is below.
import { Button, Pagination, Skeleton, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { RecordRow } from '@srs-stack/contract';
import { IconPlayerRecord, IconSearchOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { ClipList } from '../../shared/clips/clip-list.tsx';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { type RecordFilter, rowsPerPage, useObjectTransfers, useRecordings, useRecordStatus } from './queries.ts';
import { RecordBin } from './record-bin.tsx';
import { type FilterFields, noFilter, RecordFilterFields } from './record-filter.tsx';
import { RecordSummary } from './record-summary.tsx';
import { RecordingRow } from './recording-row.tsx';

/** Delay between the last key and the search request, milliseconds. */
const searchDelayMs = 250;

export function RecordList({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('records');
  const [fields, setFields] = useState(noFilter);
  const [settled] = useDebouncedValue(fields, searchDelayMs);
  const filter = toFilter(settled);
  const isFiltered = Object.keys(filter).length > 1 || filter.search !== '';
  const [page, setPage] = useState(0);
  const status = useRecordStatus(filter);
  const pages = Math.max(1, Math.ceil((status.data?.matching.count ?? 0) / rowsPerPage));
  // A deletion may have removed the last page.
  const current = Math.min(page, pages - 1);
  const rows = useRecordings(filter, current);
  if (!rows.data && rows.isError) return <QueryFailure error={rows.error} onRetry={() => void rows.refetch()} />;
  return (
    <Stack gap="md">
      <ClipList />
      {status.data && <RecordSummary status={status.data} isSearching={isFiltered} />}
      {status.isPending && <Skeleton h={{ base: 265, sm: 130 }} />}
      {(status.data?.totals.count ?? 0) > 0 && (
        <RecordFilterFields
          fields={fields}
          onChange={(next) => {
            setFields(next);
            setPage(0);
          }}
        />
      )}
      {rows.data ? (
        <Rows rows={rows.data} isOn={isOn} search={isFiltered ? settled.search.trim() : undefined} />
      ) : (
        <Skeleton height="12rem" />
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={current + 1}
          onChange={(next) => setPage(next - 1)}
          getControlProps={(control) => ({ 'aria-label': t(`list.page.${control}`) })}
        />
      )}
      <RecordBin />
    </Stack>
  );
}

/** Converts form values to a filter. Days are in the time zone of the browser. */
function toFilter({ search, fromDay, toDay, kept }: FilterFields): RecordFilter & { search: string } {
  const begin = (day: string, later: number) => {
    const date = new Date(`${day}T00:00`);
    date.setDate(date.getDate() + later);
    return date.toISOString();
  };
  return {
    search: search.trim(),
    ...(fromDay !== '' && { from: begin(fromDay, 0) }),
    ...(toDay !== '' && { to: begin(toDay, 1) }),
    ...(kept && { kept }),
  };
}

interface RowsProps {
  rows: readonly RecordRow[];
  isOn: boolean;
  /** The search text: '' if only other filters are set, undefined without any filter. */
  search: string | undefined;
}

function Rows({ rows, isOn, search }: RowsProps) {
  const { t } = useTranslation('records');
  const toScreen = useScreenPath();
  const [openUuid, setOpenUuid] = useState<string>();
  const transfers = useObjectTransfers(rows.some(({ state, place }) => state === 'done' && place !== 'bucket')).data;
  if (rows.length === 0 && search !== undefined) {
    return (
      <EmptyState compact icon={<IconSearchOff size={26} stroke={1.6} aria-hidden />} title={t('list.nothingFound')}>
        {t(search === '' ? 'filter.nothing' : 'list.nothingFoundText', { search })}
      </EmptyState>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        compact
        icon={<IconPlayerRecord size={26} stroke={1.6} aria-hidden />}
        title={t('list.empty')}
        action={
          isOn && (
            <Button component={Link} to={toScreen('scenario', '?tab=live')} variant="default">
              {t('list.howToPublish')}
            </Button>
          )
        }
      >
        {t(isOn ? 'list.emptyOn' : 'list.emptyOff')}
      </EmptyState>
    );
  }
  return (
    <ItemList label={t('list.title')}>
      {rows.map((row) => (
        <RecordingRow
          key={row.uuid}
          row={row}
          transfer={transfers?.get(row.uuid)}
          isOpen={row.uuid === openUuid}
          onToggle={() => setOpenUuid(row.uuid === openUuid ? undefined : row.uuid)}
        />
      ))}
    </ItemList>
  );
}
