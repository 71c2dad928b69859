import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Operation } from '../../../api/try-call.ts';
import classes from './api.module.css';

export function FieldList({ fields }: Pick<Operation, 'fields'>) {
  const { t } = useTranslation('openapi');
  return (
    <ul className={classes.fields} aria-label={t('try.fields')}>
      {fields.map(({ name, type, isRequired }) => (
        <li key={name}>
          <code>{name}</code> <span className={classes.quiet}>{type}</span>
          {isRequired && <Badge size="xs">{t('try.required')}</Badge>}
        </li>
      ))}
    </ul>
  );
}
