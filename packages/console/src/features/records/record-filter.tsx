// Filters of the recordings: text, days, keep mark.
import { Group, Switch, TextInput } from '@mantine/core';
import { maxSearchLength } from '@srs-stack/contract/limits.ts';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './record.module.css';

/** Typed values of the filter fields. Days are `YYYY-MM-DD` or empty. */
export interface FilterFields {
  readonly search: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly kept: boolean;
}

export const noFilter: FilterFields = { search: '', fromDay: '', toDay: '', kept: false };

export interface RecordFilterProps {
  fields: FilterFields;
  onChange: (fields: FilterFields) => void;
}

export function RecordFilterFields({ fields, onChange }: RecordFilterProps) {
  const { t } = useTranslation('records');
  const day = (name: 'fromDay' | 'toDay') => (
    <TextInput
      type="date"
      label={t(`filter.${name}`)}
      value={fields[name]}
      onChange={(event) => onChange({ ...fields, [name]: event.currentTarget.value })}
    />
  );
  return (
    <Group gap="md" align="flex-end">
      <TextInput
        className={classes.search ?? ''}
        type="search"
        label={t('list.search')}
        placeholder={t('list.searchHint')}
        value={fields.search}
        maxLength={maxSearchLength}
        leftSection={<IconSearch size={16} aria-hidden />}
        onChange={(event) => onChange({ ...fields, search: event.currentTarget.value })}
      />
      {day('fromDay')}
      {day('toDay')}
      <Switch
        label={t('filter.kept')}
        checked={fields.kept}
        onChange={(event) => onChange({ ...fields, kept: event.currentTarget.checked })}
        mb={8}
      />
    </Group>
  );
}
