import { defineConfig } from 'vite'

/** Addresses are relative, so that the console stands behind any prefix. The service writes a nonce of its own into each answer. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  html: { cspNonce: 'NONCE-OF-ANSWER' },
  resolve: { conditions: ['source', 'browser', 'module', 'production'] },
  build: {
    // The libraries mark what runs in a browser alone: here all does.
    rolldownOptions: { onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning) },
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
  },
})
