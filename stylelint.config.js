/** Rules for the page's styles. `make check` runs them. Each exception has its reason. */

export default {
  extends: 'stylelint-config-standard',
  ignoreFiles: ['web/static/vendor/**'],
  reportNeedlessDisables: true,
  reportInvalidScopeDisables: true,
  reportDescriptionlessDisables: true,
  rules: {
    // Rules stand with the part of the page that they belong to, not in the order of specificity.
    'no-descending-specificity': null,
    // Safari on phones knows this property by its prefixed name only.
    'property-no-vendor-prefix': [true, { ignoreProperties: ['-webkit-text-size-adjust'] }],
    // highlight.js and uPlot choose the names that begin with `hljs-` and `u-`.
    'selector-class-pattern': ['^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*|(?:hljs|u)-[a-z_-]+)$', {
      message: 'Write class names in kebab-case.',
    }],
    // Names of fonts in variables keep their capitals.
    'value-keyword-case': ['lower', { ignoreProperties: ['/^--/'] }],
  },
};
