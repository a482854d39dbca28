import { designModules } from '@freehold/designs'
import { expect, test } from 'vitest'
import { configPage } from '../../packages/cli/src/config/page.ts'
import { folderSettings } from '../../packages/cli/src/config/settle.ts'
import { pageAt } from './pages.ts'

// `npm run docs` writes this page.

test('the page of the configuration is what `freehold config --docs` prints', () => {
  expect(pageAt('docs/reference/configuration.md').text).toBe(configPage(folderSettings(designModules)))
})
