// Buttons that start and stop all targets or a group. Stopping requires confirmation.
import { Button } from '@mantine/core';
import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { countsOf, groupsOf, type TargetCounts } from './forward-groups.ts';
import classes from './forwards.module.css';
import { type ForwardTargets, useSwitchForwards } from './queries.ts';

export function ForwardSwitches({ targets }: { targets: ForwardTargets }) {
  const { t } = useTranslation('forwards');
  const all = countsOf(targets);
  if (all.count === 0) return null;
  return (
    <ul className={classes.switches}>
      <SwitchLine
        name={t('switches.all')}
        counts={all}
        startText={t('switches.startAll')}
        stopText={t('switches.stopAll')}
      >
        {t('switches.stopAllText', { count: all.enabled })}
      </SwitchLine>
      {groupsOf(targets).map(({ name, ...counts }) => (
        <SwitchLine
          key={name}
          name={name}
          group={name}
          counts={counts}
          startText={t('switches.startGroup', { name })}
          stopText={t('switches.stopGroup', { name })}
        >
          {t('switches.stopGroupText', { count: counts.enabled, name })}
        </SwitchLine>
      ))}
    </ul>
  );
}

interface SwitchLineProps {
  name: string;
  /** Without a group, the buttons apply to all targets. */
  group?: string;
  counts: TargetCounts;
  startText: string;
  stopText: string;
  /** Text of the confirmation: the consequence of stopping. */
  children: ReactNode;
}

function SwitchLine({ name, group, counts, startText, stopText, children }: SwitchLineProps) {
  const { t } = useTranslation('forwards');
  const turn = useSwitchForwards();
  const to = (enabled: boolean) => turn.mutate({ enabled, ...(group !== undefined && { group }) });
  const isTurning = (enabled: boolean) => turn.isPending && turn.variables.enabled === enabled;
  return (
    <li className={classes.switchLine}>
      <strong>{name}</strong>
      <span>{t('switches.counts', { enabled: counts.enabled, count: counts.count })}</span>
      <Button
        size="xs"
        variant="default"
        aria-label={startText}
        disabled={counts.enabled === counts.count || turn.isPending}
        loading={isTurning(true)}
        leftSection={<IconPlayerPlayFilled size={14} aria-hidden />}
        onClick={() => to(true)}
      >
        {t(group === undefined ? 'switches.startAll' : 'switches.start')}
      </Button>
      <ConfirmPopover text={children} onConfirm={() => to(false)}>
        <Button
          size="xs"
          variant="default"
          aria-label={stopText}
          disabled={counts.enabled === 0 || turn.isPending}
          loading={isTurning(false)}
          leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
        >
          {t(group === undefined ? 'switches.stopAll' : 'switches.stop')}
        </Button>
      </ConfirmPopover>
    </li>
  );
}
