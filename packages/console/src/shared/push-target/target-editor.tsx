// Form of a target. The page adds its own fields before and after the address.
import type { WorkerKind } from '@srs-stack/contract';
import type { ComponentProps, ReactNode } from 'react';
import { useLocale } from '../../navigation/current-locale.ts';
import { WorkerPanel, type WorkerPanelProps } from '../worker/worker-panel.tsx';
import { LabelFields } from './label-fields.tsx';
import classes from './push-target.module.css';
import { isBuiltIn, presetOfTarget } from './push-targets.ts';
import { ServerFields } from './server-fields.tsx';
import { TargetButtons } from './target-buttons.tsx';
import type { TargetFields } from './use-target-form.ts';

export interface TargetEditorProps {
  kind: WorkerKind;
  canBeCopied?: boolean;
  item: {
    platform: string;
    row: WorkerPanelProps['row'] | undefined;
    asOfMs: number;
    onRemove: () => void;
    isRemoving: boolean;
    onCopy: (() => void) | undefined;
  };
  form: ComponentProps<typeof TargetButtons>['form'] & {
    fields: TargetFields;
    set: (change: Partial<TargetFields>) => void;
  };
  errors: { server: string | undefined; label: string | undefined };
  /** `remove`: consequence of a deletion, shown in its confirmation. */
  texts: { start: string; stop: string; remove: string };
  before?: ReactNode;
  after?: ReactNode;
  /** Content above the state of the FFmpeg process. */
  note?: ReactNode;
}

export function TargetEditor(props: TargetEditorProps) {
  const { kind, canBeCopied = false, item, form, errors, texts, before, after, note } = props;
  const { platform, row, asOfMs, onRemove, isRemoving, onCopy } = item;
  const { fields, set } = form;
  const locale = useLocale();
  const isAdded = !isBuiltIn(platform);
  const label = <LabelFields {...{ fields, set }} labelError={errors.label} canBeCustom={!isAdded} />;
  return (
    <div className={classes.form} data-form>
      {isAdded && label}
      {before}
      <ServerFields
        {...{ fields, set }}
        preset={presetOfTarget({ ...fields, platform }, locale)}
        serverError={errors.server}
        canChoose={isAdded || fields.custom}
      />
      {after}
      {!isAdded && label}
      <TargetButtons
        form={form}
        startText={texts.start}
        stopText={texts.stop}
        onCopy={canBeCopied ? onCopy : undefined}
        {...(isAdded ? { remove: { consequence: texts.remove, onConfirm: onRemove, isPending: isRemoving } } : {})}
      />
      {note}
      {row && <WorkerPanel kind={kind} row={row} asOfMs={asOfMs} />}
    </div>
  );
}
