/** Rules for the page's scripts and their tests. `make check` runs them; see docs/architecture.md for the folders. */

import js from '@eslint/js';
import { importX } from 'eslint-plugin-import-x';
import globals from 'globals';

const SCRIPTS = 'web/static/js';
const HELPERS = ['./text', './api', './page'];
const FEATURES = ['chat', 'list', 'panel', 'data', 'settings', 'palette'];

/**
 * Participles and pronouns: they leave out what is held ("found" what?). That noun is the name. This holds
 * variables, functions, fields and methods; what the API calls so is read, and named where it is taken apart.
 */
const VAGUE_NAMES = [
  'answered', 'asked', 'confirmed', 'dismissed', 'forgotten', 'found', 'given', 'kept', 'made', 'missed', 'named', 'one',
  'opened', 'own', 'said', 'taken', 'told', 'tried', 'wanted', 'written',
];

/** A folder may import from itself and from the folders in `allowed` only. */
function zone(folder, allowed) {
  return { target: `${SCRIPTS}/${folder}`, from: SCRIPTS, except: [`./${folder}`, ...allowed] };
}

const importDirections = [
  zone('text', []),
  zone('api', ['./text']),
  zone('page', ['./text', './api']),
  ...FEATURES.map((feature) => zone(feature, HELPERS)),
  { target: 'web/static/operations', from: SCRIPTS, except: HELPERS },
  { target: 'web/static/reading', from: SCRIPTS, except: ['./text'] },
  { target: SCRIPTS, from: 'web/static/operations' },
];

const restrictedSyntax = [
  {
    selector: 'CallExpression[callee.type="MemberExpression"][callee.computed=true]',
    message: 'Call methods by their names, so that a search finds the call.',
  },
  {
    selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
    message: 'Build nodes with el(), so that text cannot become markup.',
  },
];

/** The server puts each module of the page into a function that is not async (web/pages/bundles.py). */
const topLevelAwait = {
  selector: ':matches(AwaitExpression, ForOfStatement[await=true]):not(:function *)',
  message: 'Wait in a function: a module that waits cannot be joined with others.',
};

export default [
  { ignores: ['web/static/vendor/', 'node_modules/', '.venv/', '.venv-deploy/', '.data/'] },
  js.configs.recommended,
  importX.flatConfigs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'complexity': ['error', 10],
      'eqeqeq': ['error', 'always', { null: 'ignore' }],
      'id-denylist': ['error', ...VAGUE_NAMES],
      'max-depth': ['error', 3],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 50],
      'max-params': ['error', 4],
      'no-alert': 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-nested-ternary': 'error',
      'no-param-reassign': 'error',
      'no-plusplus': 'error',
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      'no-shadow': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      'import-x/first': 'error',
      'import-x/newline-after-import': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-duplicates': 'error',
      'import-x/no-mutable-exports': 'error',
      'import-x/no-self-import': 'error',
      'import-x/no-unresolved': 'error',
      'import-x/no-useless-path-segments': 'error',
      'import-x/order': ['error', { alphabetize: { order: 'asc' }, 'named': true }],
    },
  },
  {
    files: ['web/static/**/*.js'],
    languageOptions: { globals: globals.browser },
    rules: {
      'no-restricted-syntax': ['error', ...restrictedSyntax, topLevelAwait],
      'import-x/extensions': ['error', 'always'], // browsers do not complete file names
      'import-x/no-default-export': 'error', // a name is the same in all files
      'import-x/no-nodejs-modules': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: importDirections }],
    },
  },
  {
    files: ['tests/node/**/*.js'],
    languageOptions: { globals: { ...globals.nodeBuiltin, ...globals.browser } },
    rules: {
      'import-x/extensions': ['error', 'always', { ignorePackages: true }],
      'no-restricted-syntax': ['error', restrictedSyntax[0]], // tests look at markup
    },
  },
];
