// Selects the key in the addresses of a guide; hidden while the publish secret is the only one.
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './guide.module.css';
import type { StreamKeyChoice } from './use-stream-key.ts';

/** A value that is not the id of any stream key. */
const secret = 'secret';

export function StreamKeySelect({ choice }: { choice: StreamKeyChoice }) {
  const { t } = useTranslation();
  const { keys, chosen, choose } = choice;
  if (keys.length === 0) return null;
  const named = keys.map(({ id, name, pattern }) => ({ value: id, label: `${name} (${pattern})` }));
  return (
    <Select
      className={classes.streamKey ?? ''}
      label={t('publishKey.label')}
      description={t('publishKey.hint')}
      data={[{ value: secret, label: t('publishKey.secret') }, ...named]}
      value={chosen?.id ?? secret}
      allowDeselect={false}
      onChange={(value) => choose(value === null || value === secret ? undefined : value)}
    />
  );
}
