import { describe, expect, test } from 'vitest'
import { widthOf } from './safe-text.ts'
import { renderItem, renderItems, renderTable } from './table.ts'

const widest = (text: string): number => Math.max(...text.split('\n').map(widthOf))

describe('a table', () => {
  test('has a line under its head, two columns between cells and nothing behind them', () => {
    const rows = [
      ['a', 1],
      ['longer', null],
    ]
    expect(renderTable(['name', 'n'], rows, undefined)).toBe('name    n\n──────  ─\na       1\nlonger\n')
  })

  test('wraps its widest cells in a narrow terminal', () => {
    const text = 'a sentence that is much longer than the terminal is wide'
    const table = renderTable(['id', 'text'], [['1', text]], 30)
    expect(widest(table)).toBeLessThanOrEqual(30)
    expect(table.split('\n').length).toBeGreaterThan(4)
    expect(table.replace(/\s+/g, ' ')).toContain('1 a sentence that is much')
  })

  test('becomes a list where even wrapped cells do not fit', () => {
    const head = ['first', 'second', 'third', 'fourth']
    const cells = head.map((name) => `${name} `.repeat(6).trim())
    expect(renderTable(head, [cells, cells], 40)).toBe(
      `${[0, 1].map(() => head.map((name, index) => wrappedLine(name, cells[index] ?? '')).join('')).join('\n')}`,
    )
  })

  test('moves no cursor', () => {
    expect(renderTable(['a'], [['\u001b[2J\r\n']], undefined)).toBe(`a\n${'─'.repeat(17)}\n\\u001b[2J\\u000d\\n\n`)
  })

  test('is as wide as wide characters are', () => {
    expect(
      renderTable(
        ['place', 'n'],
        [
          ['東京', 1],
          ['Rome', 2],
        ],
        undefined,
      ),
    ).toBe('place  n\n─────  ─\n東京   1\nRome   2\n')
  })
})

function wrappedLine(name: string, cell: string): string {
  const label = 8
  const room = 40 - label
  const lines: string[] = []
  let line = ''
  for (const word of cell.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (joined.length > room) {
      lines.push(line)
      line = word
    } else line = joined
  }
  return [...lines, line].map((each, index) => `${(index === 0 ? name : '').padEnd(label)}${each}\n`).join('')
}

describe('items', () => {
  const ada = { Type: 'User', version: 1, name: 'Ada' }

  test('have a column for each attribute that one of them has, and the version last', () => {
    expect(renderItems([ada, { Type: 'User', version: 2, name: 'Ben', age: 7 }], undefined)).toBe(
      'name  age  version\n────  ───  ───────\nAda        1\nBen   7    2\n',
    )
  })

  test('say their Type where it differs', () => {
    expect(renderItems([ada, { Type: 'Role', version: 1, name: 'r' }], undefined)).toMatch(/^Type +name +version\n/)
  })

  test('one by one are a line for each attribute, with what is in it made safe', () => {
    expect(renderItem({ name: 'Ada', tags: ['a'], none: null, evil: '\u001b' }, undefined)).toBe('name  Ada\ntags  ["a"]\nevil  \\u001b\n')
  })
})
