import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

export interface PanelProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  icon?: ReactNode;
  children?: ReactNode;
}

export function Panel({ title, description, actions, icon, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={classes.panel} aria-labelledby={title ? titleId : undefined}>
      {title && (
        <header className={classes.head}>
          {icon && <span className={classes.icon}>{icon}</span>}
          <div className={classes.titles}>
            <h2 className={classes.title} id={titleId}>
              {title}
            </h2>
            {description && <p className={classes.description}>{description}</p>}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
