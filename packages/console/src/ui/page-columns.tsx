// Page layout with a form and a status. The status is beside the form on wide screens, and above the form on phones.
import type { ReactNode } from 'react';
import classes from './page-columns.module.css';

export interface PageColumnsProps {
  /** The status. */
  side: ReactNode;
  /** Keeps the status visible while the form scrolls on wide screens. */
  isSideInView?: boolean;
  children: ReactNode;
}

export function PageColumns({ side, isSideInView = false, children }: PageColumnsProps) {
  return (
    <div className={classes.page}>
      <div className={classes.side} data-in-view={isSideInView || undefined}>
        {side}
      </div>
      <div className={classes.main}>{children}</div>
    </div>
  );
}
