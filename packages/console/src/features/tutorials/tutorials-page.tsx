import { FirstRun } from './first-run/first-run.tsx';
import { TutorialList } from './list/tutorial-list.tsx';
import { MoreAreas } from './more-areas.tsx';
import classes from './tutorials-page.module.css';

export default function TutorialsPage() {
  return (
    <div className={classes.page}>
      <FirstRun />
      <TutorialList />
      <MoreAreas />
    </div>
  );
}
