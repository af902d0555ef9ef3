import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';
import { imports } from './scripts/imports.mjs';

export default tseslint.config(
  { ignores: ['dist/', 'dist-test/', 'bin/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './src/webview/tsconfig.json',
          './src/browser/tsconfig.json',
          './test/browser/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      // A callback of one call needs no block around it.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The vscode API types what it takes and gives as classes, also where any like object serves.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { imports },
    rules: { 'imports/downwards': 'error' },
  },
  {
    // The type of a table of words is read off the table, so that no word stands twice.
    files: [
      'src/**/words.ts',
      'src/needs/{needs,row}Words.ts',
      'src/request/requestWords.ts',
      'src/signed/signed{Text,Words}.ts',
      'src/agent/sessionWords.ts',
      'src/thread/foot/footWords.ts',
    ],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    // node:test's describe and it return promises that the runner itself awaits.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        document: 'readonly',
        window: 'readonly',
        URL: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
