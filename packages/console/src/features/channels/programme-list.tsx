// The program guide of the next 24 hours, with its addresses for players and guide software.

import { channelGuidePrefix } from '@srs-stack/contract/constants.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './channels.module.css';
import { type Channel, useProgramme } from './queries.ts';

/** Number of displayed rows: one screen. */
const shown = 40;

export function ProgrammeList({ channel: { id, stream } }: { channel: Channel }) {
  const { t } = useTranslation('channels');
  const [isOpen, setIsOpen] = useState(false);
  const programme = useProgramme(id, isOpen);
  const guide = `${window.location.origin}${channelGuidePrefix}${stream}`;
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('programme.title')}</summary>
      <ol className={classes.list}>
        {(programme.data?.slots ?? []).slice(0, shown).map((slot) => (
          <li key={slot.startsAt} data-cause={slot.cause}>
            <time dateTime={slot.startsAt}>{formatTimestamp(slot.startsAt)}</time>{' '}
            {slot.title || t(slot.cause === 'filler' ? 'dark' : 'break')}
          </li>
        ))}
      </ol>
      <CopyField label={t('programme.xmltv')} value={`${guide}.xml`} hint={t('programme.hint')} />
      <CopyField label={t('programme.json')} value={`${guide}.json`} />
    </details>
  );
}
