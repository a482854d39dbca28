import { describe, expect, test } from 'vitest'
import { literalPrefix, parseTemplate } from './template.ts'

describe('a key template', () => {
  test('is literals and placeholders between delimiters', () => {
    expect(parseTemplate('ROLE#{scope_type}#{scope_id}')).toEqual({
      source: 'ROLE#{scope_type}#{scope_id}',
      alternatives: [
        {
          segments: [
            { literal: 'ROLE' },
            { placeholder: 'scope_type', before: '', behind: '' },
            { placeholder: 'scope_id', before: '', behind: '' },
          ],
          placeholders: ['scope_type', 'scope_id'],
          texts: ['ROLE#', '#', ''],
        },
      ],
      placeholders: ['scope_type', 'scope_id'],
    })
  })

  test('may have text before and behind a placeholder', () => {
    expect(parseTemplate('$taskapp#orgid_{orgId}.x').alternatives[0]?.segments).toEqual([
      { literal: '$taskapp' },
      { placeholder: 'orgId', before: 'orgid_', behind: '.x' },
    ])
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
    ['A#{x}{y}', "has '{x}{y}' between two '#', where a key has text and at most one placeholder in braces"],
    ['A#{}', "has '{}' between two '#', where a key has text and at most one placeholder in braces"],
    ['A#{1st}', "has '{1st}' between two '#', where a key has text and at most one placeholder in braces"],
    ['A#{x}_{y}', "has '{x}_{y}' between two '#', where a key has text and at most one placeholder in braces"],
    ['A#{x', "has '{x' between two '#', where a key has text and at most one placeholder in braces"],
    ['A##{x}', 'has an empty segment'],
    ['#{x}', 'has an empty segment'],
    ['A\u0000#{x}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A\ud800#{x}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A\u{10FFFF}#{x}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A#{x}#{x}', 'names one placeholder twice'],
    ['a{x}#\u0000{y}', 'holds a control character, an unpaired surrogate or U+10FFFF'],
    ['A#x_{x}|A#x_{y}', 'has two alternatives that make the same keys'],
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
    ['$tasks_1#taskid_{taskId}#x', '$tasks_1#taskid_'],
    ['org_{orgId}', 'org_'],
  ])('of %s is %j', (source, prefix) => {
    expect(parseTemplate(source).alternatives.map(literalPrefix)).toEqual([prefix])
  })
})
