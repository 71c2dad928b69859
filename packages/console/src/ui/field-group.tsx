// A group of fields with a common label.
import type { ReactNode } from 'react';
import classes from './field-group.module.css';

export function FieldGroup({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend>{name}</legend>
      {children}
    </fieldset>
  );
}
