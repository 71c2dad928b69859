// Numbered steps, and a reminder to open the firewall or a note that the protocol is disabled.
import { IconWall } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './guide.module.css';
import { ProtocolOff } from './protocol-off.tsx';
import { type Protocol, useProtocolsOff } from './use-protocol-off.ts';

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}

/** @param port displayed port, e.g. `TCP/1935`. */
export function FirewallReminder({ port, protocol }: { port: string; protocol: Protocol }) {
  return useProtocolsOff()(protocol) ? <ProtocolOff protocol={protocol} /> : <OpenPort port={port} />;
}

/** Firewall reminder for a protocol that is always enabled. */
export function OpenPort({ port }: { port: string }) {
  const { t } = useTranslation('live');
  return (
    <p className={classes.firewall}>
      <IconWall size={18} aria-hidden />
      <span>{t('guide.firewall', { port })}</span>
    </p>
  );
}
