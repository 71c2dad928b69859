// These rules bring no types; `lint-prose.ts` takes them as textlint's kernel does.
declare module 'textlint-rule-en-max-word-count';
declare module 'textlint-rule-terminology';
