// Checks texts with textlint: unusual words, and sentences that are too long.
import { TextlintKernel, type TextlintPluginCreator, type TextlintRuleModule } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import plainText from '@textlint/textlint-plugin-text';
import wordCount from 'textlint-rule-en-max-word-count';
import terminology from 'textlint-rule-terminology';
import { maxSentenceWords, terms } from './words.ts';

export interface ProseProblem {
  /** Line number, from 1. For a console text file, the number of the text. */
  readonly line: number;
  readonly message: string;
}

/** A CommonJS module is imported as `{ default }` or directly. */
const unwrap = (module: unknown) => (module as { default?: unknown }).default ?? module;
const plugin = (module: unknown) => unwrap(module) as TextlintPluginCreator;
const rule = (module: unknown) => unwrap(module) as TextlintRuleModule;

const kernel = new TextlintKernel();
const options = {
  plugins: [
    { pluginId: 'markdown', plugin: plugin(markdown) },
    { pluginId: 'text', plugin: plugin(plainText) },
  ],
  rules: [
    { ruleId: 'terminology', rule: rule(terminology), options: { defaultTerms: false, terms } },
    { ruleId: 'sentence length', rule: rule(wordCount), options: { max: maxSentenceWords } },
  ],
};

/** Checks a Markdown text. Ignores code blocks, code spans and link targets. */
export async function lintMarkdown(text: string): Promise<ProseProblem[]> {
  return lint(text, '.md');
}

/** Checks the texts of a console file. Each problem has the key of its text. */
export async function lintTexts(texts: ReadonlyMap<string, string>): Promise<ProseProblem[]> {
  const keys = [...texts.keys()];
  // Each text gets one line, followed by an empty line, so that the line number identifies the text.
  const problems = await lint([...texts.values()].map((text) => text.replaceAll('\n', ' ')).join('\n\n'), '.txt');
  return problems.map(({ line, message }) => {
    const index = (line - 1) / 2;
    return { line: index + 1, message: `${keys[index]}: ${message}` };
  });
}

async function lint(text: string, ext: string): Promise<ProseProblem[]> {
  const { messages } = await kernel.lintText(text, { ...options, ext });
  return messages.map(({ line, message }) => ({ line, message }));
}
