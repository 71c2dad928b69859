// Facts for support. A button reveals the facts if the error has an explanation.
import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError, type ErrorDescription } from './error-description.ts';
import classes from './error-facts.module.css';

export function ErrorFacts({ error }: { error: unknown }) {
  const { t } = useTranslation('errors');
  const [opened, { toggle }] = useDisclosure(false);
  const description = useMemo(() => describeError(error), [error]);
  if (description.isBrief || !description.explanation) return <Facts description={description} />;
  return (
    <>
      <UnstyledButton className={classes.toggle!} onClick={toggle} aria-expanded={opened}>
        <IconChevronDown size={16} aria-hidden data-opened={opened || undefined} />
        {t('details')}
      </UnstyledButton>
      {opened && <Facts description={description} />}
    </>
  );
}

function Facts({ description }: { description: ErrorDescription }) {
  const { t } = useTranslation('errors');
  return (
    <dl className={classes.facts}>
      {description.facts.map(({ name, value, isBlock }) => (
        <div key={name}>
          <dt>{t(`fact.${name}`)}</dt>
          <dd>{isBlock ? <pre>{value}</pre> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
