// All tutorials as cards. An unavailable video site is not reported as an error.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { useLocale } from '../../../navigation/current-locale.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { useVideoFacts } from '../queries.ts';
import page from '../tutorials-page.module.css';
import { sortedTutorials } from './sorted-tutorials.ts';
import { TutorialCard } from './tutorial-card.tsx';
import { tutorialsOf } from './tutorial-catalogue.ts';
import classes from './tutorial-list.module.css';

export function TutorialList() {
  const { t } = useTranslation('tutorials');
  const tutorials = tutorialsOf(useLocale());
  const ids = tutorials.flatMap(({ bvid }) => bvid ?? []);
  const queries = useVideoFacts(ids);
  useReportUnexpected(queries.find(({ error }) => error !== null)?.error);
  const cards = tutorials.map((tutorial) => {
    const query = tutorial.bvid === undefined ? undefined : queries[ids.indexOf(tutorial.bvid)];
    return { tutorial, facts: query?.data, isLoading: query?.isPending ?? false };
  });
  // Sorted only after the last response, so that no card moves under the pointer.
  const isSettled = cards.every(({ isLoading }) => !isLoading);
  const shown = isSettled ? sortedTutorials(cards) : cards;
  return (
    <section aria-labelledby="tutorials">
      <h2 id="tutorials" className={page.head}>
        {t('list.title')}
      </h2>
      <p className={page.lead}>{t('list.text')}</p>
      <ul className={classes.list} aria-busy={!isSettled}>
        {shown.map(({ tutorial, facts }) => (
          <TutorialCard
            key={tutorial.link}
            tutorial={tutorial}
            facts={facts}
            isLoading={!isSettled && tutorial.bvid !== undefined}
          />
        ))}
      </ul>
    </section>
  );
}

function useReportUnexpected(error: unknown): void {
  const report = useReportError();
  useEffect(() => {
    if (!error || (error instanceof ApiError && error.errorName === 'videoSiteUnreachable')) return;
    report(error);
  }, [error, report]);
}
