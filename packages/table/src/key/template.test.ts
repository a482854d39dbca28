import { describe, expect, test } from 'vitest'
import { literalPrefix, parseTemplate } from './template.ts'

describe('a key template', () => {
  test('is literals and placeholders between delimiters', () => {
    expect(parseTemplate('ROLE#{scope_type}#{scope_id}')).toEqual({
      source: 'ROLE#{scope_type}#{scope_id}',
      alternatives: [
        {
          segments: [{ literal: 'ROLE' }, { placeholder: 'scope_type' }, { placeholder: 'scope_id' }],
          placeholders: ['scope_type', 'scope_id'],
        },
      ],
      placeholders: ['scope_type', 'scope_id'],
    })
  })

  test('names each placeholder of all its alternatives once', () => {
    expect(parseTemplate('{endDate}#{id}|9999-12-31#{id}').placeholders).toEqual(['endDate', 'id'])
  })

  test('may end with the delimiter, which makes it a prefix', () => {
    expect(parseTemplate('GROUP#').alternatives[0]?.segments).toEqual([{ literal: 'GROUP' }, { literal: '' }])
  })

  test('is frozen throughout', () => {
    const template = parseTemplate('CLIENT#{client_id}|SYSTEM')
    const [first] = template.alternatives
    for (const part of [
      template,
      template.alternatives,
      template.placeholders,
      first,
      first?.segments,
      first?.placeholders,
      first?.segments[0],
    ])
      expect(Object.isFrozen(part)).toBe(true)
  })

  test.each([
    ['', 'has an empty alternative: a key is never empty text'],
    ['CLIENT#{id}|', 'has an empty alternative: a key is never empty text'],
    ['CLIENT{id}', "mixes text and a placeholder in 'CLIENT{id}': a placeholder fills a whole segment between two '#'"],
    ['A#{x}{y}', "mixes text and a placeholder in '{x}{y}': a placeholder fills a whole segment between two '#'"],
    ['A#{}', "mixes text and a placeholder in '{}': a placeholder fills a whole segment between two '#'"],
    ['A#{1st}', "mixes text and a placeholder in '{1st}': a placeholder fills a whole segment between two '#'"],
    ['A#{x', "mixes text and a placeholder in '{x': a placeholder fills a whole segment between two '#'"],
    ['A##{x}', 'has an empty segment'],
    ['#{x}', 'has an empty segment'],
    ['A\u0000#{x}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A\ud800#{x}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A\u{10FFFF}#{x}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A#{x}#{x}', 'names one placeholder twice'],
    ['A#{x}|A#{y}', 'has two alternatives that make the same keys'],
    ['SYSTEM|CLIENT#{id}', 'has an alternative that is never used: an earlier one needs no other values'],
    ['A#{x}|B#{x}#{y}', 'has an alternative that is never used: an earlier one needs no other values'],
  ])('%j is refused', (source, why) => {
    expect(() => parseTemplate(source)).toThrow(
      expect.objectContaining({ code: 'InvalidDesign', message: `The key template '${source}' ${why}.`, details: { template: source } }),
    )
  })
})

describe('the literal prefix of a template', () => {
  test.each([
    ['ROLE#{roleName}', 'ROLE#'],
    ['ACCOUNT#USERS#{id}#X', 'ACCOUNT#USERS#'],
    ['{endDate}#{id}', ''],
    ['META', 'META'],
    ['GROUP#', 'GROUP#'],
  ])('of %s is %j', (source, prefix) => {
    expect(parseTemplate(source).alternatives.map(literalPrefix)).toEqual([prefix])
  })
})
