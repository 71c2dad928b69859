// The first page after login: how to get from here to a live picture, in three steps.
import { Button } from '@mantine/core';
import { IconArrowRight, IconEye, IconKey, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../app/current-locale.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './tutorials-page.module.css';

const steps = [
  { key: 'copy', icon: IconKey },
  { key: 'publish', icon: IconVideo },
  { key: 'watch', icon: IconEye },
] as const;

export default function TutorialsPage() {
  const { t } = useTranslation('tutorials');
  const toScreen = useScreenPath();
  return (
    <div className={classes.page}>
      <Panel title={t('start.title')} description={t('start.text')}>
        <ol className={classes.steps}>
          {steps.map(({ key, icon: Icon }, index) => (
            <li key={key} className={classes.step}>
              <span className={classes.sign}>
                <Icon size={22} stroke={1.6} aria-hidden />
              </span>
              <h3>
                {index + 1}. {t(`start.step.${key}.title`)}
              </h3>
              <p>{t(`start.step.${key}.text`)}</p>
            </li>
          ))}
        </ol>
        <Button
          component={Link}
          to={toScreen('scenario', '?tab=live')}
          rightSection={<IconArrowRight size={18} aria-hidden />}
          size="md"
        >
          {t('start.open')}
        </Button>
      </Panel>
      <p className={classes.later}>{t('later')}</p>
    </div>
  );
}
