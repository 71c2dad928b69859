// Field for the group of a target. Suggests the groups of other targets.
import { Autocomplete } from '@mantine/core';
import { maxLabelLength } from '@srs-stack/contract/limits.ts';
import { useTranslation } from 'react-i18next';
import { offeredChoices } from '../../shared/push-target/offered-choices.ts';
import { groupsOf } from './forward-groups.ts';
import { useForwardTargets } from './queries.ts';

export function GroupField({ value, onChange }: { value: string; onChange: (group: string) => void }) {
  const { t } = useTranslation('forwards');
  const targets = useForwardTargets();
  return (
    <Autocomplete
      label={t('group.label')}
      description={t('group.text')}
      value={value}
      onChange={onChange}
      data={groupsOf(targets.data ?? {}).map(({ name }) => name)}
      filter={offeredChoices}
      openOnFocus={false}
      maxLength={maxLabelLength}
      autoComplete="off"
    />
  );
}
