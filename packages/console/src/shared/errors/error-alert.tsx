// Alert for an error with its explanation, its remedy, and facts for support.
import { Alert, Anchor, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './error-alert.module.css';
import { describeError, type ErrorDescription } from './error-description.ts';
import { ErrorFacts } from './error-facts.tsx';
import { useErrorTexts } from './error-texts.ts';

export interface ErrorAlertProps {
  error: unknown;
  onDismiss: () => void;
}

export function ErrorAlert({ error, onDismiss }: ErrorAlertProps) {
  const { t } = useTranslation('errors');
  const description = useMemo(() => describeError(error), [error]);
  // Without an explanation, the expanded facts contain the server's message.
  const errorTexts = useErrorTexts();
  const detail = description.explanation ? errorTexts.detailOf(error) : '';
  return (
    <Alert
      className={classes.alert!}
      color="broken"
      variant="light"
      title={t('title')}
      icon={<IconAlertTriangle aria-hidden />}
      withCloseButton
      closeButtonLabel={t('dismiss')}
      onClose={onDismiss}
      role="alert"
    >
      <Explanation description={description} />
      {detail && <p className={classes.reason}>{detail}</p>}
      <ErrorFacts error={error} />
      {description.requestId && (
        <div className={classes.requestId}>
          <CopyField label={t('requestId')} value={description.requestId} hint={t('requestIdHint')} />
        </div>
      )}
      <Button color="broken" mt="md" onClick={onDismiss}>
        {t('ok')}
      </Button>
    </Alert>
  );
}

function Explanation({ description }: { description: ErrorDescription }) {
  const { t } = useTranslation('errors');
  const toScreen = useScreenPath();
  const { explanation } = description;
  if (!explanation) return <p className={classes.what}>{t('unexplained')}</p>;
  return (
    <>
      <p className={classes.what}>{t(`explained.${explanation}.what`)}</p>
      <p className={classes.advice}>
        {t(`explained.${explanation}.advice`)}{' '}
        {explanation === 'tokenInvalid' && (
          <Anchor component={Link} to={toScreen('logout')} fw={600} inherit>
            {t('logInAgain')}
          </Anchor>
        )}
      </p>
    </>
  );
}
