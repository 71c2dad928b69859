// A list of framed entries, and the first line of each: its name and its state.
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
  /** State of the entry; only style sheets and tests use it. */
  state: string;
  /** Draws the frame in the colour of the severity. */
  trouble?: 'attention' | 'failure' | undefined;
  /** Lays out its children. */
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

/** @param children the state. */
export function ItemHeadline({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className={classes.headline}>
      <span className={classes.name}>{name}</span>
      {children}
    </div>
  );
}
