import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../ui/code-block.tsx';
import classes from './api.module.css';
import { codeExample, type ExampleCall, type ExampleLanguage, exampleLanguages } from './code-examples.ts';

const names: Record<ExampleLanguage, string> = { curl: 'curl', python: 'Python', javascript: 'JavaScript' };

export function CodeExamples({ call }: { call: ExampleCall }) {
  const { t } = useTranslation('openapi');
  const [language, setLanguage] = useState<ExampleLanguage>('curl');
  return (
    <section className={classes.examples} aria-label={t('examples.title')}>
      <h3 className={classes.examplesTitle}>{t('examples.title')}</h3>
      <p className={classes.quiet}>{t('examples.text')}</p>
      <SegmentedControl
        size="xs"
        my="sm"
        aria-label={t('examples.language')}
        value={language}
        onChange={(value) => setLanguage(value as ExampleLanguage)}
        data={exampleLanguages.map((value) => ({ value, label: names[value] }))}
      />
      <CodeBlock code={codeExample(language, call)} name={t('examples.name', { language: names[language] })} />
    </section>
  );
}
