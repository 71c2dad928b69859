// Preview of an import with the server's verdict on each row. Keys are hidden.
import { Button, Group, Text } from '@mantine/core';
import type { ForwardImport, ForwardListRow } from '@srs-stack/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorTexts } from '../../../shared/errors/error-texts.ts';
import classes from '../forwards.module.css';
import { useAddList } from '../queries.ts';

export interface ListPreviewProps {
  rows: readonly ForwardListRow[];
  judged: ForwardImport['rows'];
  onBack: () => void;
  onDone: () => void;
}

export function ListPreview({ rows, judged: atFirst, onBack, onDone }: ListPreviewProps) {
  const { t } = useTranslation('forwards');
  const add = useAddList();
  const [judged, setJudged] = useState(atFirst);
  const good = rows.filter((_, index) => !judged[index]?.error);
  const refused = rows.length - good.length;
  const importGood = () =>
    add.mutate(
      { targets: good, preview: false },
      {
        onSuccess: (response) => {
          if (response.added > 0) onDone();
          // The settings have changed since the preview, so the server added nothing. The rows now show the reasons.
          else setJudged(inPlaceOf(rows, judged, response.rows));
        },
      },
    );
  return (
    <div className={classes.list}>
      <div className={classes.listScroll}>
        <RowTable rows={rows} judged={judged} />
      </div>
      {refused > 0 && <Text size="sm">{t('list.refused', { count: refused })}</Text>}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {t('list.back')}
        </Button>
        <Button disabled={good.length === 0} loading={add.isPending} onClick={importGood}>
          {t('list.import', { count: good.length })}
        </Button>
      </Group>
    </div>
  );
}

function RowTable({ rows, judged }: Pick<ListPreviewProps, 'rows' | 'judged'>) {
  const { t } = useTranslation('forwards');
  const { textOf } = useErrorTexts();
  return (
    <table className={classes.listTable}>
      <thead>
        <tr>
          {(['number', 'name', 'server', 'source', 'group', 'state'] as const).map((column) => (
            <th key={column} scope="col">
              {t(`list.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, server, stream, group }, index) => {
          const error = judged[index]?.error;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of the list keep their positions
            <tr key={index}>
              <td>{index + 1}</td>
              <td>{label}</td>
              <td>{server}</td>
              <td>{stream || '–'}</td>
              <td>{group || '–'}</td>
              <td data-refused={error && true}>{error ? textOf(error, false) : t('list.fine')}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function inPlaceOf(
  rows: readonly ForwardListRow[],
  before: ForwardImport['rows'],
  ofGood: ForwardImport['rows'],
): ForwardImport['rows'] {
  const again = [...ofGood];
  return rows.map((_, index) => (before[index]?.error ? before[index] : (again.shift() ?? {})));
}
