// The next step of a new operator, beside the checklist of first steps.
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
      // Without storage, the choice lasts until the page closes.
    }
  };
  return (
    <div className={classes.row} data-alone={isHidden || undefined}>
      <NextStep onShowSteps={isHidden ? () => setHidden(false) : undefined} />
      {!isHidden && <Checklist onHide={() => setHidden(true)} />}
    </div>
  );
}
