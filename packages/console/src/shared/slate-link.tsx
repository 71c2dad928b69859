import { Button } from '@mantine/core';
import { IconDeviceTvOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../navigation/current-locale.ts';

export function SlateLink() {
  const { t } = useTranslation();
  const toScreen = useScreenPath();
  return (
    <Button
      component={Link}
      to={toScreen('settings', '?tab=slate')}
      size="xs"
      variant="default"
      leftSection={<IconDeviceTvOff size={16} aria-hidden />}
    >
      {t('slateSettings')}
    </Button>
  );
}
