// A group of related fields under one label, which looks like the label of a field.
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
