// Replaces the instructions for a disabled protocol, with a link to the page that enables the protocol.
import { Alert, Anchor } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import classes from './guide.module.css';
import type { Protocol } from './use-protocol-off.ts';

export function ProtocolOff({ protocol, isBrief = false }: { protocol: Protocol; isBrief?: boolean }) {
  const { t } = useTranslation('live');
  const toScreen = useScreenPath();
  const title = t('protocolOff.title', { name: t(`protocolOff.name.${protocol}`) });
  const link = (
    <Anchor component={Link} to={toScreen('components')} inherit fw={600}>
      {t('protocolOff.link')}
    </Anchor>
  );
  if (isBrief)
    return (
      <p className={classes.note}>
        <span>{title}</span> · {link}
      </p>
    );
  return (
    <Alert variant="light" color="amber" p="sm" icon={<IconPlugConnectedX aria-hidden />} title={title}>
      {t('protocolOff.text')} {link}
    </Alert>
  );
}
