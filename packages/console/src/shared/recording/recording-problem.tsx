// Why a recording is incomplete: a sentence with the remedy, and the message of the program or service below it.
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './recording-problem.module.css';

export interface RecordingProblemProps {
  children: ReactNode;
  /** Message of the program or service, in English. */
  message?: string | undefined;
}

export function RecordingProblem({ children, message }: RecordingProblemProps) {
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        {children}
        {message && (
          <code className={classes.message} lang="en">
            {message}
          </code>
        )}
      </div>
    </div>
  );
}
