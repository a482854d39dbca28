import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { templateYaml } from './template-yaml.ts'

describe('a template as YAML', () => {
  test('has CloudFormation’s functions in their short form', () => {
    const functions = { Name: { Ref: 'Table' }, Arn: { 'Fn::GetAtt': ['Table', 'Arn'] } }
    expect(templateYaml(functions)).toBe('Name: !Ref Table\nArn: !GetAtt Table.Arn\n')
  })

  test('writes what is there twice out twice', () => {
    const same = { Type: 'ALL' }
    expect(templateYaml({ a: same, b: same })).toBe('a:\n  Type: ALL\nb:\n  Type: ALL\n')
  })

  test('breaks no line', () => {
    const long = 'word '.repeat(100).trim()
    expect(templateYaml({ long })).toBe(`long: ${long}\n`)
  })

  test.each(['1.1', '1.2'] as const)('keeps texts texts where YAML %s reads it', (version) => {
    const words = ['yes', 'off', 'n', 'null', '~', '', '2010-09-09', '0042', '1e3', '0x1f', '12:30:45', '1_000', '.5', '<<', '=']
    const marks = ['a: b', '# c', '- d', '!Ref e', '&f', '*g', '"h', "'i", '{j}', '@k', '%l', ' m ', 'n\nn\n', '\t', 'é 😀', '\u0085']
    const texts = Object.fromEntries([...words, ...marks].map((text, index) => [`Tag${index}`, text]))
    expect(parse(templateYaml(texts), { version })).toEqual(texts)
  })
})
