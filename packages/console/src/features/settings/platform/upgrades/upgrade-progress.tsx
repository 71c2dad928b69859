// Steps of a running upgrade. During the last step, the server briefly does not respond.
import { Loader } from '@mantine/core';
import type { UpgradeProgress as Progress } from '@srs-stack/contract';
import { upgradeSteps } from '@srs-stack/contract/values/upgrades.ts';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './upgrades.module.css';

export interface UpgradeProgressProps {
  progress: Progress;
  isUnavailable: boolean;
}

export function UpgradeProgress({ progress, isUnavailable }: UpgradeProgressProps) {
  const { t } = useTranslation('platform');
  const at = upgradeSteps.indexOf(isUnavailable ? 'restart' : progress.step);
  const { version, channel } = progress.target;
  const name = version || t(`upgrade.channels.${channel}.name`);
  return (
    <section className={classes.progress} aria-live="polite">
      <h3>{t('upgrade.upgrading', { name })}</h3>
      <ol>
        {upgradeSteps.map((step, index) => (
          <li key={step} data-state={index < at ? 'done' : index === at ? 'now' : 'later'}>
            <span className={classes.sign}>
              {index < at ? (
                <IconCheck size={16} aria-hidden />
              ) : index === at ? (
                <Loader size={16} aria-hidden />
              ) : (
                <IconCircle size={16} aria-hidden />
              )}
            </span>
            <span className={classes.channelText}>
              <span>{t(`upgrade.steps.${step}.name`)}</span>
              {index === at && <span className={classes.hint}>{t(`upgrade.steps.${step}.text`)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
