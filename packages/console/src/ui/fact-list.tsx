// Facts of one object: as a line of names and values below its headline, or as tiles where they are the main content of a page.
import classes from './fact-list.module.css';

export interface FactListProps {
  /** Name and value. */
  facts: readonly (readonly [string, string])[];
  /** Tiles with large numbers, or with names in a fixed width. */
  tiles?: 'figures' | 'names';
}

export function FactList({ facts, tiles }: FactListProps) {
  return (
    <dl className={tiles ? classes.tiles : classes.line} data-kind={tiles}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
