// A page in two columns: on a phone, the status is above the form; on a wide screen, beside it.
import type { ReactNode } from 'react';
import classes from './page-columns.module.css';

export interface PageColumnsProps {
  /** The status. */
  side: ReactNode;
  /** On a wide screen, the status stays in view while the form is scrolled. */
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
