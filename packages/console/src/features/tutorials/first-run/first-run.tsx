// The next step with an illustration, beside the checklist of first steps, which updates by itself.
import { useState } from 'react';
import { Checklist } from './checklist.tsx';
import classes from './first-run.module.css';
import { NextStep } from './next-step.tsx';

const hiddenKey = 'SRS_STACK_FIRST_STEPS';

export function FirstRun() {
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(hiddenKey) === 'hidden');
  const setHidden = (hidden: boolean) => {
    setIsHidden(hidden);
    try {
      localStorage.setItem(hiddenKey, hidden ? 'hidden' : 'shown');
    } catch {
      // Storage full or blocked: the choice is kept until the page is closed.
    }
  };
  return (
    <div className={classes.row} data-alone={isHidden || undefined}>
      <NextStep onShowSteps={isHidden ? () => setHidden(false) : undefined} />
      {!isHidden && <Checklist onHide={() => setHidden(true)} />}
    </div>
  );
}
