import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../config/settings.ts'
import type { Shell } from '../shell.ts'
import { progressOf } from './progress.ts'

function at(isInteractive: boolean): { readonly shell: Shell; readonly written: string[]; pass(ms: number): void } {
  const written: string[] = []
  let now_ms = 1_000_000
  const shell: Shell = {
    designs: designModules,
    settings: defaultSettings,
    env: {},
    cwd: '/',
    stdin: (async function* () {})(),
    out: async () => {},
    err: (text) => written.push(text),
    isInteractive,
    now: () => new Date(now_ms),
  }
  return {
    shell,
    written,
    pass: (ms) => {
      now_ms += ms
    },
  }
}

describe('progress', () => {
  test('on a terminal is one line, written over now and then, cut to its width, and taken away', () => {
    const { shell, written, pass } = at(true)
    const progress = progressOf(shell)
    progress.show('1 row')
    progress.show('2 rows')
    pass(100)
    progress.show(`3 \u001b rows ${'x'.repeat(200)}`)
    progress.end()
    expect(written).toEqual(['\r\u001b[K1 row', `\r\u001b[K${`3 \\u001b rows ${'x'.repeat(200)}`.slice(0, 79)}`, '\r\u001b[K'])
  })

  test('in a log is a line every five seconds, and none for what is done by then', () => {
    const { shell, written, pass } = at(false)
    const progress = progressOf(shell)
    progress.show('1 row')
    pass(4999)
    progress.show('2 rows')
    pass(1)
    progress.show('3 rows')
    progress.end()
    expect(written).toEqual(['3 rows\n'])
  })

  test('that was never shown takes nothing away', () => {
    const { shell, written } = at(true)
    progressOf(shell).end()
    expect(written).toEqual([])
  })
})
