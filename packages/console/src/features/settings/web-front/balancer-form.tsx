import { SegmentedControl, Text, Textarea } from '@mantine/core';
import type { BalancerProgram, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from './proxy.module.css';

type Stored = ResponseOf<typeof calls.queryLoadBalancer>;
const toLines = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);
/** Maximum text length in characters: 32 servers with long names. */
const maxTextLength = 8_192;

export function BalancerForm({ stored }: { stored: Stored }) {
  const { t } = useTranslation('web-front');
  const [isMissing, setIsMissing] = useState(false);
  const form = useSettingsForm({
    stored: { text: stored.backends.join('\n') },
    revision: stored.revision,
    update: calls.updateLoadBalancer,
    refreshes: [calls.queryLoadBalancer],
    toRequest: ({ text }, revision) => ({
      backends: toLines(text),
      ...(revision === undefined ? {} : { revision }),
    }),
    savedText: t('balancer.saved'),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = toLines(form.values.text).length === 0;
    setIsMissing(isEmpty);
    if (!isEmpty) form.save();
  };
  return (
    <>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <Textarea
          label={t('balancer.backends')}
          description={t('balancer.hint')}
          placeholder={'10.0.0.5\nlive.example.com:2022'}
          rows={3}
          value={form.values.text}
          maxLength={maxTextLength}
          onChange={(event) => {
            setIsMissing(false);
            form.change({ text: event.currentTarget.value });
          }}
          error={isMissing ? t('balancer.missing') : undefined}
          autoComplete="off"
          spellCheck={false}
          styles={monoInput}
        />
        <SettingsFooter form={form} />
      </form>
      <Configurations configurations={stored.configurations} />
    </>
  );
}

function Configurations({ configurations }: Pick<Stored, 'configurations'>) {
  const { t } = useTranslation('web-front');
  const [program, setProgram] = useState<BalancerProgram>('nginx-edge');
  const shown = configurations.find((each) => each.program === program);
  return (
    <div className={classes.configuration}>
      <SegmentedControl
        aria-label={t('balancer.configuration')}
        value={program}
        onChange={(value) => setProgram(value as BalancerProgram)}
        data={configurations.map((each) => ({ value: each.program, label: t(`balancer.program.${each.program}`) }))}
        style={{ maxWidth: '100%', overflowX: 'auto' }}
      />
      <Text size="sm" c="dimmed" mt="sm" mb="sm">
        {t(`balancer.about.${program}`)}
      </Text>
      {shown && <CodeBlock code={shown.text} name={shown.fileName} />}
    </div>
  );
}
