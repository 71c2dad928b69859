// Displays the keys of a shortcut (`g l`, `mod k`) as the keyboard labels them.
import { paletteKeys } from '../keyboard/use-shortcuts.ts';
import classes from './keys.module.css';

export function Keys({ keys }: { keys: string }) {
  const shown = keys === paletteKeys ? [isMac() ? '⌘' : 'Ctrl', 'K'] : keys.split(' ');
  return (
    <span className={classes.keys}>
      {shown.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}
