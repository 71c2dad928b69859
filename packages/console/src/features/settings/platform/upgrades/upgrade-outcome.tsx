// Result of the last upgrade: installed, rolled back, or not prepared.
import { Alert, Button } from '@mantine/core';
import type { UpgradeProblem } from '@srs-stack/contract';
import { IconArrowBackUp, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../../shared/format-time.ts';
import classes from './upgrades.module.css';
import { isRunning, type Upgrade } from './use-upgrade.ts';

export function UpgradeOutcome({ upgrade }: { upgrade: Upgrade }) {
  const { t } = useTranslation('platform');
  const { result, progress } = upgrade;
  // Result when the page opened. A later result means that the page belongs to the previous release and must be reloaded.
  const [seenAtFirst] = useState(result?.at);
  if (isRunning(upgrade)) return null;
  const isNotPrepared = progress?.state === 'failed' && progress.step !== 'restart';
  if (isNotPrepared && progress.problem && !(result && result.at > progress.startedAt)) {
    return (
      <Alert
        color="onair"
        icon={<IconCircleX aria-hidden />}
        title={t('upgrade.notPrepared', { version: progress.target.version })}
      >
        <Problem problem={progress.problem} />
        <p>{t('upgrade.nothingChanged')}</p>
      </Alert>
    );
  }
  if (!result) return null;
  const { outcome, from, to, problem, interruptionMs } = result;
  const isUpgraded = outcome === 'upgraded';
  const away = interruptionMs === null ? undefined : (interruptionMs / 1000).toFixed(1);
  return (
    <Alert
      color={isUpgraded ? 'signal' : 'onair'}
      icon={isUpgraded ? <IconCircleCheck aria-hidden /> : <IconArrowBackUp aria-hidden />}
      title={t(isUpgraded ? 'upgrade.done' : 'upgrade.takenBack', { from, to: to.version })}
    >
      {problem && <Problem problem={problem} />}
      <p className={classes.hint}>
        {t(away === undefined ? 'upgrade.when' : 'upgrade.whenAway', {
          date: formatTimestamp(result.at),
          seconds: away,
        })}
      </p>
      {isUpgraded && result.at !== seenAtFirst && (
        <Button mt="xs" size="xs" onClick={() => window.location.reload()}>
          {t('upgrade.reload')}
        </Button>
      )}
    </Alert>
  );
}

/** The translated message, then the output of the program that failed. */
function Problem({ problem: { reason, detail } }: { problem: UpgradeProblem }) {
  const { t } = useTranslation('platform');
  return (
    <>
      <p>{t(`upgrade.problem.${reason}`)}</p>
      {detail && <pre className={classes.words}>{detail}</pre>}
    </>
  );
}
