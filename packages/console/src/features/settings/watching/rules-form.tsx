// Form for the access rules. The most specific rule that matches a stream applies.
import { ActionIcon, Alert, Button, PasswordInput, Select, TextInput, Tooltip } from '@mantine/core';
import type { RequestOf, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxPasswordLength, maxWatchRules } from '@srs-stack/contract/limits.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '@srs-stack/contract/stream-pattern.ts';
import { type WatchMode, watchModes } from '@srs-stack/contract/values/watching.ts';
import { IconAlertTriangle, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from './watching.module.css';

interface RuleDraft {
  readonly pattern: string;
  readonly mode: WatchMode;
  readonly hasPassword: boolean;
  readonly password: string;
}

const empty: RuleDraft = { pattern: '', mode: 'signed', hasPassword: false, password: '' };

export function RulesForm({ stored }: { stored: ResponseOf<typeof calls.queryWatching> }) {
  const { t } = useTranslation('watching');
  const [isRefused, setIsRefused] = useState(false);
  const form = useSettingsForm({
    stored: { rules: stored.rules.map((rule): RuleDraft => ({ ...rule, password: '' })) },
    revision: stored.revision,
    update: calls.updateWatchRules,
    refreshes: [calls.queryWatching],
    toRequest: ({ rules }, revision) => ({
      rules: rules.map(toRequest),
      ...(revision === undefined ? {} : { revision }),
    }),
    savedText: t('rules.saved'),
  });
  const { rules } = form.values;
  const change = (next: RuleDraft[]) => {
    setIsRefused(false);
    form.change({ rules: next });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isComplete = rules.every((rule) => isValidStreamPattern(rule.pattern.trim()) && hasPassword(rule));
    setIsRefused(!isComplete);
    if (isComplete) form.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      {rules.length === 0 && <p className={classes.quiet}>{t('rules.none')}</p>}
      {rules.length > 0 && (
        <ul className={classes.rows} aria-label={t('rules.title')}>
          {rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and keep their positions
            <li key={index}>
              <RuleRow
                rule={rule}
                isRefused={isRefused}
                onChange={(next) => change(rules.with(index, next))}
                onRemove={() => change(rules.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={rules.length >= maxWatchRules}
        onClick={() => change([...rules, empty])}
      >
        {t('rules.add')}
      </Button>
      {form.isDirty && (
        <Alert color="amber" variant="light" mt="md" p="sm" icon={<IconAlertTriangle aria-hidden />}>
          {t('rules.warning', { seconds: stored.renewalSeconds })}
        </Alert>
      )}
      <SettingsFooter form={form} />
    </form>
  );
}

function hasPassword({ mode, hasPassword: isStored, password }: RuleDraft): boolean {
  return mode !== 'password' || isStored || password !== '';
}

function toRequest({ pattern, mode, password }: RuleDraft): RequestOf<typeof calls.updateWatchRules>['rules'][number] {
  return { pattern: pattern.trim(), mode, ...(mode === 'password' && password !== '' ? { password } : {}) };
}

interface RuleRowProps {
  rule: RuleDraft;
  isRefused: boolean;
  onChange: (rule: RuleDraft) => void;
  onRemove: () => void;
}

function RuleRow({ rule, isRefused, onChange, onRemove }: RuleRowProps) {
  const { t } = useTranslation('watching');
  const remove = t('rules.remove', { pattern: rule.pattern || '…' });
  const isWrong = isRefused && !isValidStreamPattern(rule.pattern.trim());
  return (
    <div className={classes.row}>
      <TextInput
        label={t('rules.pattern')}
        placeholder="live/*"
        value={rule.pattern}
        maxLength={maxStreamPatternLength}
        onChange={(event) => onChange({ ...rule, pattern: event.currentTarget.value, hasPassword: false })}
        error={isWrong ? t('patternWrong') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <Select
        label={t('rules.mode')}
        description={t(`mode.${rule.mode}.hint`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={watchModes.map((value) => ({ value, label: t(`mode.${value}.name`) }))}
        value={rule.mode}
        allowDeselect={false}
        onChange={(mode) => onChange({ ...rule, mode: (mode as WatchMode | null) ?? rule.mode })}
      />
      <Tooltip label={remove}>
        <ActionIcon className={classes.remove} size="input-sm" variant="default" aria-label={remove} onClick={onRemove}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {rule.mode === 'password' && (
        <PasswordInput
          className={classes.password}
          label={t('rules.password')}
          placeholder={rule.hasPassword ? t('rules.passwordKept') : ''}
          value={rule.password}
          maxLength={maxPasswordLength}
          onChange={(event) => onChange({ ...rule, password: event.currentTarget.value })}
          error={isRefused && !hasPassword(rule) ? t('rules.passwordMissing') : undefined}
          autoComplete="new-password"
        />
      )}
    </div>
  );
}
