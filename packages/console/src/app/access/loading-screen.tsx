// Fills the window until the first screen is ready.
import { DrawnLoginEnds } from '../../first-paint/drawn-login-ends.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import classes from './loading-screen.module.css';

export function LoadingScreen({ message }: { message: string }) {
  return (
    <div className={classes.screen} role="status" data-loading-screen>
      <BrandMark size={44} isBusy />
      <p>{message}</p>
      <DrawnLoginEnds />
    </div>
  );
}
