// Illustration of a page's data flow: steps in a row, the destination, and an explanation.
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './flow-diagram.module.css';

interface FlowStep {
  sign: ReactNode;
  name: string;
}

export interface FlowDiagramProps {
  steps: readonly FlowStep[];
  ends: readonly FlowStep[];
  /** List items. */
  children: ReactNode;
}

export function FlowDiagram({ steps, ends, children }: FlowDiagramProps) {
  return (
    <div className={classes.picture}>
      <div className={classes.flow}>
        {steps.map(({ sign, name }) => (
          <div key={name} className={classes.part}>
            <span className={classes.step}>
              {sign}
              <span>{name}</span>
            </span>
            <IconArrowRight className={classes.arrow} aria-hidden />
          </div>
        ))}
        <ul className={classes.ends}>
          {ends.map(({ sign, name }) => (
            <li key={name}>
              {sign}
              {name}
            </li>
          ))}
        </ul>
      </div>
      <ul className={classes.text}>{children}</ul>
    </div>
  );
}
