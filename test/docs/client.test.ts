import { clientOf, serviceOf } from '@freehold/client'
import { expect, test } from 'vitest'
import { pageAt } from './pages.ts'

const { text } = pageAt('docs/reference/client.md')
const options = { url: 'http://127.0.0.1:1', key: 'none', design: 'rebac' }

test('the page of the client has each of its functions, and no other', () => {
  const shown = [...text.matchAll(/^\| (`\w+`.*?) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(shown.sort()).toEqual(Object.keys(clientOf(options)).sort())
  for (const name of Object.keys(serviceOf(options))) expect(text).toContain(`\`${name}\``)
})
