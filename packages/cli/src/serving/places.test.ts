import { expect, test } from 'vitest'
import { assignmentFor, placeWords } from './places.ts'

const here = { kind: 'embedded', directory: "/a b/it's", memory: false } as const
const local = { endpoint: 'http://127.0.0.1:8000' }

test('a command in another terminal is told what it needs to reach the same data, and no more', () => {
  expect(assignmentFor({ kind: 'aws', region: 'eu-west-1' }, true)).toBe('')
  expect(assignmentFor({ kind: 'endpoint', ...local }, true)).toBe('DYNAMODB_ENDPOINT=http://127.0.0.1:8000 ')
  expect(assignmentFor({ ...here, memory: true }, false)).toBe('')
  expect(assignmentFor(here, true)).toBe('')
  expect(assignmentFor(here, false)).toBe("FREEHOLD_DATA='/a b/it'\\''s' ")
})

test('the place of the data is told in words', () => {
  expect(placeWords({ kind: 'aws', region: 'eu-west-1' })).toBe('from DynamoDB in eu-west-1')
  expect(placeWords({ kind: 'endpoint', ...local })).toBe('from http://127.0.0.1:8000')
  expect(placeWords({ ...here, memory: true })).toBe('with its data in memory')
  expect(placeWords(here)).toBe("with its data in /a b/it's")
})
