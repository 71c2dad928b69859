// The expanded row of a recording: player, title and notes, location of the file, and links.
import { Anchor, Group } from '@mantine/core';
import type { RecordRow } from '@srs-stack/contract';
import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../ui/copy-field.tsx';
import { useRecordRules } from './queries.ts';
import classes from './record.module.css';
import { isOutOfReach, linksOf } from './recording-facts.ts';
import { LabelForm } from './recording-label.tsx';
import { RecordingPlayer } from './recording-player.tsx';

export default function RecordingDetails({ row }: { row: RecordRow }) {
  const { t } = useTranslation('records');
  const rules = useRecordRules().data;
  // `home` is relative to the data folder: the absolute path on another server is unknown here.
  const directory = row.node ? rules?.home : rules?.directory;
  const links = linksOf(row, directory);
  const address = new URL(links.mp4 ?? links.playlist, location.href).href;
  return (
    <div className={classes.opened}>
      {!isOutOfReach(row) && <RecordingPlayer links={links} />}
      <div className={classes.about}>
        {!row.node?.isAway && <LabelForm key={`${row.title}\n${row.notes}`} row={row} />}
        {row.place === 'bucket' ? (
          <CopyField label={t('details.object')} value={row.object} />
        ) : (
          directory && (
            <CopyField
              label={row.node ? t('details.locationOn', { name: row.node.name }) : t('details.location')}
              value={links.location}
            />
          )
        )}
        <CopyField label={t('details.link')} value={address} hint={t('details.linkHint')} />
        <CopyField label={t('details.uuid')} value={row.uuid} />
        <Group gap="md">
          <Anchor href={links.preview} target="_blank" rel="noreferrer" size="sm">
            <IconExternalLink size={14} aria-hidden /> {t('details.preview')}
          </Anchor>
          {links.mp4 && row.place !== 'bucket' && (
            <Anchor href={links.playlist} target="_blank" rel="noreferrer" size="sm">
              <IconExternalLink size={14} aria-hidden /> {t('details.playlist')}
            </Anchor>
          )}
        </Group>
      </div>
    </div>
  );
}
