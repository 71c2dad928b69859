// Selects the key in the addresses of a guide. Hidden without stream keys.
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './guide.module.css';
import type { StreamKeyChoice } from './use-stream-key.ts';

/** Value of the publish secret, which no stream key id equals. */
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
