import type { ReactNode } from 'react';
import classes from './form-intro.module.css';

export function FormIntro({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.intro}>
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  );
}
