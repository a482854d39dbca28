import { describe, expect, test } from 'vitest'
import { library } from '../../test/library.ts'
import { design } from '../language.ts'
import { terraform } from './terraform.ts'

describe('a Terraform configuration', () => {
  test('has the table with its keys, its indexes, its TTL, its tags, and what keeps its data', () => {
    expect(terraform(library)).toEqual({
      '//': 'Loans of a library',
      resource: {
        aws_dynamodb_table: {
          'city-library_2': {
            name: 'city-library.2',
            billing_mode: 'PAY_PER_REQUEST',
            hash_key: 'PK',
            range_key: 'SK',
            deletion_protection_enabled: true,
            tags: { Environment: 'production', 'cost:center': '0042' },
            attribute: [
              { name: 'PK', type: 'S' },
              { name: 'SK', type: 'S' },
              { name: 'by.readerPK', type: 'S' },
              { name: 'by.readerSK', type: 'S' },
            ],
            global_secondary_index: [{ name: 'by.reader', hash_key: 'by.readerPK', range_key: 'by.readerSK', projection_type: 'ALL' }],
            ttl: [{ attribute_name: 'ttl', enabled: true }],
            point_in_time_recovery: [{ enabled: true }],
            lifecycle: [{ prevent_destroy: true }],
          },
        },
      },
      output: {
        'city-library_2_table_name': {
          description: 'DynamoDB table name',
          value: `\${aws_dynamodb_table.city-library_2.name}`,
        },
        'city-library_2_table_arn': {
          description: 'DynamoDB table ARN',
          value: `\${aws_dynamodb_table.city-library_2.arn}`,
        },
      },
    })
  })

  test('has nothing of what a design does not have', () => {
    const { '//': comment, resource } = terraform(design({ name: 'bare', table: 'bare', entities: {}, patterns: {} }))
    expect(comment).toBeUndefined()
    expect(Object.keys(resource.aws_dynamodb_table?.bare ?? {})).toEqual([
      'name',
      'billing_mode',
      'hash_key',
      'range_key',
      'deletion_protection_enabled',
      'attribute',
      'point_in_time_recovery',
      'lifecycle',
    ])
  })

  test('of another table differs in its name only', () => {
    const other = JSON.stringify(terraform(library, 'branch_library'))
    expect(other).toBe(JSON.stringify(terraform(library)).replace('"name":"city-library.2"', '"name":"branch_library"'))
  })

  test.each([
    ['app_data', 'app_data'],
    ['a.b-c', 'a_b-c'],
    ['2fa', '_2fa'],
    ['-ab', '_-ab'],
    ['...', '___'],
  ])('of the table %s names it %s', (table, name) => {
    const { resource } = terraform(design({ name: 'any', table, entities: {}, patterns: {} }))
    expect(Object.keys(resource.aws_dynamodb_table ?? {})).toEqual([name])
  })

  test('leaves Terraform nothing to fill in', () => {
    const tags = { '%{a}': '%{b}', c: `$\${d} 5$ 6% {e}` }
    const { resource } = terraform(design({ name: 'any', table: 'any', tags, entities: {}, patterns: {} }))
    expect(resource.aws_dynamodb_table?.any?.tags).toEqual({ '%%{a}': '%%{b}', c: `$$\${d} 5$ 6% {e}` })
  })

  test('of a table without a name is refused', () => {
    expect(() => terraform(library, '')).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  })
})
