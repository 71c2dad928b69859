// Links to less common tasks and to the source code.
import { IconBolt, IconCode, IconHistory, IconMovie } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { projectLinks } from '../../shared/project-links.ts';
import classes from './tutorials-page.module.css';

const areas = [
  { key: 'lowLatency', Icon: IconBolt, search: '?tab=others&ctab=other' },
  { key: 'sources', Icon: IconMovie, search: '?tab=vlive' },
  { key: 'discouraged', Icon: IconHistory, search: '?tab=others&ctab=deprecated' },
] as const;

export function MoreAreas() {
  const { t } = useTranslation('tutorials');
  const toScreen = useScreenPath();
  return (
    <section aria-labelledby="more-areas">
      <h2 id="more-areas" className={classes.head}>
        {t('more.title')}
      </h2>
      <ul className={classes.areas}>
        {areas.map(({ key, Icon, search }) => (
          <li key={key}>
            <Link to={toScreen('scenario', search)} className={classes.area}>
              <Icon size={22} stroke={1.6} aria-hidden />
              <strong>{t(`more.${key}.title`)}</strong>
              <span>{t(`more.${key}.text`)}</span>
            </Link>
          </li>
        ))}
        <li>
          <a href={projectLinks.repository} target="_blank" rel="noreferrer" className={classes.area}>
            <IconCode size={22} stroke={1.6} aria-hidden />
            <strong>{t('more.source.title')}</strong>
            <span>{t('more.source.text')}</span>
          </a>
        </li>
      </ul>
    </section>
  );
}
