// Placeholder of an accordion while its data loads.
import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './sections.module.css';

export interface SectionsSkeletonProps {
  count: number;
  /** Index of the initially open section. */
  open: number;
}

/** Different widths, so that the placeholder does not look like a table. */
const titleWidths = ['9rem', '7rem', '11rem', '8rem'] as const;

export function SectionsSkeleton({ count, open }: SectionsSkeletonProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.skeleton} role="status" aria-label={t('loading')} aria-busy>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the positions are fixed
        <div key={place} className={classes.skeletonItem}>
          <div className={classes.skeletonHead}>
            <Skeleton height={20} width={20} circle />
            <Skeleton height={14} width={titleWidths[place % titleWidths.length]!} />
          </div>
          {place === open && <Fields />}
        </div>
      ))}
    </div>
  );
}

function Fields() {
  return (
    <div className={classes.skeletonFields}>
      {['40%', '100%', '32%', '100%', '36%', '100%'].map((width, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the positions are fixed
        <Skeleton key={place} height={width === '100%' ? 36 : 12} width={`min(46rem, ${width})`} />
      ))}
    </div>
  );
}
