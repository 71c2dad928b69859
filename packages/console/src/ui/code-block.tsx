import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  code: string;
  /** Name for screen readers and the toast, e.g. "FFmpeg command". */
  name: string;
}

export function CodeBlock({ code, name }: CodeBlockProps) {
  return (
    <figure className={classes.block} aria-label={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways, also by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} name={name} />
      </div>
    </figure>
  );
}
