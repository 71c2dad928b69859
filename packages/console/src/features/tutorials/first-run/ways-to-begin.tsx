// The three ways to the first live stream: an encoder, this browser, or a demo that the server generates.
import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconPlayerPlay, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../../navigation/current-locale.ts';
import { StartDemoButton } from './demo-buttons.tsx';
import classes from './first-run.module.css';

export function WaysToBegin() {
  const { t } = useTranslation('tutorials');
  const toScreen = useScreenPath();
  return (
    <ul className={classes.ways}>
      <li>
        <IconDeviceDesktop size={22} stroke={1.6} aria-hidden />
        <p>{t('ways.obs.text')}</p>
        <Button component={Link} to={toScreen('scenario', '?tab=live')} fullWidth>
          {t('ways.obs.button')}
        </Button>
      </li>
      <li>
        <IconVideo size={22} stroke={1.6} aria-hidden />
        <p>{t('ways.browser.text')}</p>
        <Button component={Link} to={toScreen('scenario', '?tab=live&item=5')} variant="default" fullWidth>
          {t('ways.browser.button')}
        </Button>
      </li>
      <li>
        <IconPlayerPlay size={22} stroke={1.6} aria-hidden />
        <p>{t('ways.demo.text')}</p>
        <StartDemoButton />
      </li>
    </ul>
  );
}
