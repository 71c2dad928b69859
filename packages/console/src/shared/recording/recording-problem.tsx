// Why a recording is incomplete: a sentence with the remedy, and the message of the program or service below it.
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './recording-problem.module.css';

export interface RecordingProblemProps {
  children: ReactNode;
  /** As the server has it, in English. */
  said?: string | undefined;
}

export function RecordingProblem({ children, said }: RecordingProblemProps) {
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        {children}
        {said && (
          <code className={classes.said} lang="en">
            {said}
          </code>
        )}
      </div>
    </div>
  );
}
