// Why a recording is incomplete: an explanation with remedy, and the message of the failed program or service.
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './recording-problem.module.css';

export interface RecordingProblemProps {
  children: ReactNode;
  /** English message of the program or service. */
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
