import type { ReactNode } from 'react';
import classes from './page-title.module.css';

export function PageTitle({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className={classes.head}>
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </header>
  );
}
