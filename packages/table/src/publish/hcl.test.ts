import fc from 'fast-check'
import hcl2 from 'hcl2-parser'
import { describe, expect, test } from 'vitest'
import { library } from '../../test/library.ts'
import { design } from '../language.ts'
import { hcl } from './hcl.ts'
import { type TerraformConfiguration, terraform } from './terraform.ts'

/** The result of Terraform's own parser, compiled to JavaScript. Null for an error. */
function read(text: string): unknown {
  const [configuration]: readonly unknown[] = hcl2.parseToObject(text)
  return configuration
}

/** The parser has each body in a list. */
function listed({ resource, output }: TerraformConfiguration): unknown {
  const inLists = (bodies: object) => Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, [body]]))
  return {
    resource: Object.fromEntries(Object.entries(resource).map(([type, bodies]) => [type, inLists(bodies)])),
    output: inLists(output),
  }
}

const tagged = (tags: Readonly<Record<string, string>>) =>
  terraform(design({ name: 'any', table: 'any', tags, entities: {}, patterns: {} }))

describe('HCL', () => {
  test('is laid out as `terraform fmt` lays it out', () => {
    expect(hcl(terraform(library))).toBe(`# Loans of a library
resource "aws_dynamodb_table" "city-library_2" {
  name                        = "city-library.2"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "PK"
  range_key                   = "SK"
  deletion_protection_enabled = true

  tags = {
    "Environment" = "production"
    "cost:center" = "0042"
  }

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "by.readerPK"
    type = "S"
  }

  attribute {
    name = "by.readerSK"
    type = "S"
  }

  global_secondary_index {
    name            = "by.reader"
    hash_key        = "by.readerPK"
    range_key       = "by.readerSK"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "ttl"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  lifecycle {
    prevent_destroy = true
  }
}

output "city-library_2_table_name" {
  description = "DynamoDB table name"
  value       = aws_dynamodb_table.city-library_2.name
}

output "city-library_2_table_arn" {
  description = "DynamoDB table ARN"
  value       = aws_dynamodb_table.city-library_2.arn
}
`)
  })

  test('says to its parser what the configuration says', () => {
    expect(read(hcl(terraform(library)))).toEqual(listed(terraform(library)))
  })

  test('is read without fault only where it has none', () => {
    expect(read('a = "${"')).toBeNull()
    expect(read('a = "\\q"')).toBeNull()
    expect(read('a {')).toBeNull()
  })

  test.each(['"', '\\', '\\"', '${', '$${', '%{ if', '%%{', '$', `\${a.b}`, 'line\nline\r\n\t', '\b\f\0\x7f\x85', 'é 😀 \u2028', ' ', ''])(
    'holds the text %j as it is',
    (text) => {
      const tags = { Plain: text, [text]: 'as a name' }
      expect(read(hcl(tagged(tags)))).toMatchObject({ resource: { aws_dynamodb_table: { any: [{ tags }] } } })
    },
  )

  test('holds any text as it is', () => {
    // Terraform brings texts into the normal form C, which these are in.
    const pieces = fc.constantFrom('${', '%{', '$', '%', '{', '}', '\\', '"', '\n', 'é', '😀')
    const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme-ascii' })), { maxLength: 6 })
    fc.assert(
      fc.property(texts, (parts) => {
        const tags = { Tag: parts.join('') }
        expect(read(hcl(tagged(tags)))).toMatchObject({ resource: { aws_dynamodb_table: { any: [{ tags }] } } })
      }),
      { numRuns: 100 },
    )
  })

  test('keeps a description of several lines a comment', () => {
    const text = hcl({ ...terraform(library), '//': 'one\ntwo\r\nthree = {' })
    expect(text).toMatch(/^# one\n# two\n# three = \{\nresource /)
    expect(read(text)).toEqual(listed(terraform(library)))
  })
})
