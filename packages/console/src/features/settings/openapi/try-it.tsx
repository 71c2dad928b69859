// Form that sends a selected call with the API secret and shows the response and example code.
import { Autocomplete, Button, PasswordInput, Textarea } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconSend } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operation } from '../../../api/try-call.ts';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { monoInput, monoSecret } from '../../../ui/mono-input.ts';
import classes from './api.module.css';
import { ApiResponse } from './api-response.tsx';
import { useCallTexts } from './call-texts.ts';
import { exampleBody } from './code-examples.ts';
import { CodeExamples } from './code-examples-tabs.tsx';
import { FieldList } from './field-list.tsx';
import { useOperations, useTryCall } from './queries.ts';

/** Initially selected call, which changes nothing and works on every server. */
const firstPath = calls.status.path;

export function TryIt({ secret }: { secret: string }) {
  const { t } = useTranslation('openapi');
  const operations = useOperations();
  const { summaryOf, areaOf } = useCallTexts();
  const [path, setPath] = useState(firstPath);
  const [bearer, setBearer] = useState<string>();
  const [body, setBody] = useState('{}');
  const attempt = useTryCall();
  const credential = bearer ?? secret;
  const operation = operations.data?.find((each) => each.path === path);
  const choose = (next: string) => {
    setPath(next);
    const found = operations.data?.find((each) => each.path === next);
    if (found) setBody(exampleBody(found.fields));
    attempt.reset();
  };
  const problem = path.startsWith('/') ? (isJson(body) ? undefined : t('try.notJson')) : t('try.badPath');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) attempt.mutate({ path, bearer: credential.trim(), body: body.trim() || '{}' });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <Autocomplete
        label={t('try.path')}
        description={
          (operation && summaryOf(operation)) ?? (operations.isError ? t('try.noDocument') : t('try.pathHint'))
        }
        value={path}
        onChange={choose}
        data={groupedPaths(operations.data ?? [], areaOf)}
        limit={200}
        maxDropdownHeight={320}
        error={path.startsWith('/') ? undefined : t('try.badPath')}
        spellCheck={false}
        styles={monoInput}
      />
      <PasswordInput
        mt="md"
        label={t('try.bearer')}
        value={credential}
        onChange={(event) => setBearer(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        styles={monoSecret}
      />
      <Textarea
        mt="md"
        label={t('try.body')}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        rows={6}
        error={isJson(body) ? undefined : t('try.notJson')}
        spellCheck={false}
        styles={monoInput}
      />
      {operation && operation.fields.length > 0 && <FieldList fields={operation.fields} />}
      <Button
        type="submit"
        mt="md"
        loading={attempt.isPending}
        disabled={problem !== undefined}
        leftSection={<IconSend size={18} aria-hidden />}
      >
        {t('try.send')}
      </Button>
      {attempt.error && (
        <div className={classes.below}>
          <InlineFailure error={attempt.error} />
        </div>
      )}
      {attempt.data && <ApiResponse response={attempt.data} />}
      <CodeExamples call={{ origin: location.origin, path, body }} />
    </form>
  );
}

function groupedPaths(operations: readonly Operation[], areaOf: (operation: Operation) => string) {
  const groups = Map.groupBy(operations, areaOf);
  return [...groups].map(([group, items]) => ({ group, items: items.map(({ path }) => path) }));
}

function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
