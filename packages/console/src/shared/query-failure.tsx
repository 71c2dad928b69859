// Error and retry button, shown in place of a part of a page that could not be loaded.
import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../navigation/current-locale.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { describeError } from './errors/error-description.ts';
import { ErrorFacts } from './errors/error-facts.tsx';
import { useErrorTexts } from './errors/error-texts.ts';
import classes from './query-failure.module.css';

export function QueryFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['common', 'errors']);
  const toScreen = useScreenPath();
  const { explanation, isBrief, requestId } = describeError(error);
  const errorTexts = useErrorTexts();
  // Omitted for brief errors and errors without an explanation, because their facts contain the server's message.
  const detail = explanation && !isBrief ? errorTexts.detailOf(error) : '';
  return (
    <EmptyState
      compact
      icon={<IconCloudOff size={26} stroke={1.6} aria-hidden />}
      title={explanation ? t(`errors:explained.${explanation}.what`) : t('errors:unexplained')}
      action={
        explanation === 'tokenInvalid' ? (
          <Button component={Link} to={toScreen('logout')}>
            {t('errors:logInAgain')}
          </Button>
        ) : (
          <Button variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )
      }
    >
      {explanation && <p className={classes.line}>{t(`errors:explained.${explanation}.advice`)}</p>}
      {detail && <p className={classes.detail}>{detail}</p>}
      <div className={classes.facts}>
        <ErrorFacts error={error} />
      </div>
      {requestId && (
        <p className={classes.requestId}>
          <span>
            {t('errors:requestId')} <code>{requestId}</code>
          </span>
          <CopyButton value={requestId} name={t('errors:requestId')} />
        </p>
      )}
    </EmptyState>
  );
}
