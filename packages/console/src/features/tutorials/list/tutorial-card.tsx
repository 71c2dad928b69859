import { Skeleton } from '@mantine/core';
import type { VideoFacts } from '@srs-stack/contract';
import { IconArticle, IconExternalLink, IconEye, IconPlayerPlay, IconShare3, IconThumbUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../../i18n/languages.ts';
import { useLocale } from '../../../navigation/current-locale.ts';
import { catalogueDate, type Tutorial } from './tutorial-catalogue.ts';
import classes from './tutorial-list.module.css';

const signs = { video: IconPlayerPlay, article: IconArticle } as const;
const counts = [
  { key: 'view', Icon: IconEye },
  { key: 'like', Icon: IconThumbUp },
  { key: 'share', Icon: IconShare3 },
] as const;

export interface TutorialCardProps {
  tutorial: Tutorial;
  facts: VideoFacts | undefined;
  isLoading: boolean;
}

export function TutorialCard({ tutorial, facts, isLoading }: TutorialCardProps) {
  const { t } = useTranslation('tutorials');
  const Sign = signs[tutorial.media];
  return (
    <li>
      <a href={tutorial.link} target="_blank" rel="noreferrer" className={classes.card} data-media={tutorial.media}>
        <span className={classes.sign}>
          <Sign size={22} stroke={1.6} aria-hidden />
        </span>
        <span className={classes.about}>
          {t(`list.media.${tutorial.media}`)} · {tutorial.author}
        </span>
        <span className={classes.title}>
          {facts?.title || tutorial.title}
          <IconExternalLink size={15} aria-hidden />
        </span>
        <Counts facts={facts} isLoading={isLoading} isVideo={tutorial.bvid !== undefined} />
      </a>
    </li>
  );
}

/** A dash replaces a missing count; a tooltip states the reason. */
function Counts({ facts, isLoading, isVideo }: Pick<TutorialCardProps, 'facts' | 'isLoading'> & { isVideo: boolean }) {
  const { t } = useTranslation('tutorials');
  const locale = useLocale();
  if (isLoading) return <Skeleton height={18} width="11rem" />;
  const stat = facts && facts.stat.view > 0 ? facts.stat : undefined;
  const why = t(isVideo ? 'list.countsUnknown' : 'list.countsUnpublished', { asOf: catalogueDate });
  return (
    <span className={classes.counts} {...(stat ? {} : { title: why })}>
      {counts.map(({ key, Icon }) => (
        <span key={key} title={t(`list.count.${key}`)}>
          <Icon size={16} stroke={1.75} aria-hidden />
          <span className={classes.offscreen}>{t(`list.count.${key}`)} </span>
          {stat ? stat[key].toLocaleString(languages[locale].htmlLang) : '–'}
        </span>
      ))}
      {!stat && <span className={classes.offscreen}>{why}</span>}
    </span>
  );
}
