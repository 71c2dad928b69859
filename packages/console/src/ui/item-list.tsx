// A list of framed entries, each with a headline.
import type { ReactNode } from 'react';
import classes from './item-list.module.css';

export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

export interface ItemProps {
  /** Used only by style sheets and tests. */
  state: string;
  /** Severity that determines the colour of the frame. */
  trouble?: 'attention' | 'failure' | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Item({ state, trouble, className, children }: ItemProps) {
  return (
    <li className={[classes.item, className].filter(Boolean).join(' ')} data-state={state} data-trouble={trouble}>
      {children}
    </li>
  );
}

/** @param children state of the entry. */
export function ItemHeadline({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className={classes.headline}>
      <span className={classes.name}>{name}</span>
      {children}
    </div>
  );
}
