import { errorCodes } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { problem } from '../../packages/service/src/http/problem.ts'
import { pageAt } from './pages.ts'

const page = pageAt('docs/reference/errors.md')

test('the page explains every code with its category and its status over HTTP, in the order of the source', () => {
  const explained = [...page.text.matchAll(/^### (\w+)\n\*\*(\w+)\*\* · (\d+)\n\n\S/gm)].map(([, code, category, status]) => ({
    code,
    category,
    status: Number(status),
  }))
  const codes = Object.entries(errorCodes).map(([code, category]) => ({
    code,
    category,
    // The keys of errorCodes are its codes.
    status: problem(code as keyof typeof errorCodes, '').status,
  }))
  expect(explained).toEqual(codes)
  expect(page.text.match(/^### /gm)?.length).toBe(codes.length)
})
