// Badge that shows a state by colour, icon and label.
import {
  IconAlertTriangle,
  IconCheck,
  IconCircle,
  IconCircleFilled,
  IconExclamationCircle,
  IconLoader2,
  IconPlayerStopFilled,
  IconRefresh,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './status-badge.module.css';

const signs = {
  idle: IconCircle,
  connecting: IconLoader2,
  live: IconCircleFilled,
  good: IconCheck,
  attention: IconExclamationCircle,
  retrying: IconRefresh,
  stopped: IconPlayerStopFilled,
  error: IconAlertTriangle,
} as const;
export type StatusState = keyof typeof signs;

export interface StatusBadgeProps {
  state: StatusState;
  /** Replaces the default label of the state. */
  children?: ReactNode;
}

export function StatusBadge({ state, children }: StatusBadgeProps) {
  const { t } = useTranslation();
  const Sign = signs[state];
  return (
    <span className={classes.badge} data-state={state}>
      <Sign size={12} aria-hidden className={classes.sign} />
      {children ?? t(`state.${state}`)}
    </span>
  );
}
