import classes from './brand-mark.module.css';

export function BrandMark({ size = 32, isBusy = false }: { size?: number; isBusy?: boolean }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={classes.mark}>
      <rect width="32" height="32" rx="8" className={classes.plate} />
      <g className={isBusy ? classes.busy : undefined} strokeLinecap="round" strokeWidth="3.4" stroke="#4fd1bd">
        <path d="M8 10h9" />
        <path d="M8 16h13" />
        <path d="M8 22h16" />
      </g>
      <circle cx="23.5" cy="10" r="2.9" fill="#8c9bff" />
    </svg>
  );
}
