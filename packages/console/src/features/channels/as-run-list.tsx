// Recently played items of the channel, newest first. The list is collapsed, because the operator rarely needs it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import classes from './channels.module.css';
import { type AsRunRow, useAsRun } from './queries.ts';

export function AsRunList({ id }: { id: string }) {
  const { t } = useTranslation('channels');
  const [isOpen, setIsOpen] = useState(false);
  const asRun = useAsRun(id, isOpen);
  const rows = asRun.data?.entries ?? [];
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('asRun.title')}</summary>
      {asRun.data && rows.length === 0 && <p className={classes.fact}>{t('asRun.none')}</p>}
      <ol className={classes.list}>
        {rows.map((row) => (
          <li key={`${row.at} ${row.kind} ${row.item}`}>
            <time dateTime={row.at}>{formatTimestamp(row.at)}</time> <Row row={row} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Row({ row: { title, item, kind, detail } }: { row: AsRunRow }) {
  const { t } = useTranslation('channels');
  const name = title || t(item === '' ? 'dark' : 'break');
  if (kind === 'started') return <span>{name}</span>;
  if (kind === 'failed') return <span>{t('asRun.failed', { title: name, detail })}</span>;
  return <span>{t(`asRun.${kind}`, { stream: detail })}</span>;
}
