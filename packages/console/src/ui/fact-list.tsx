// Names and values of an object, in a line or as tiles.
import classes from './fact-list.module.css';

export interface FactListProps {
  facts: readonly (readonly [string, string])[];
  /** Tiles with large numbers (`figures`), or with names of a fixed width (`names`). */
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
