// A numbered list of steps, and the reminder to open the firewall.
import { IconWall } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './guide.module.css';

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}

/** `port` as operators write it, e.g. `TCP/1935`. */
export function FirewallReminder({ port }: { port: string }) {
  const { t } = useTranslation('live');
  return (
    <p className={classes.firewall}>
      <IconWall size={18} aria-hidden />
      <span>{t('guide.firewall', { port })}</span>
    </p>
  );
}
