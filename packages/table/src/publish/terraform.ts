import type { AnyDesign } from '../design/design.ts'
import { type TableOptions, tableDefinition } from './table-definition.ts'

/** The body of a block: arguments, lists of texts, maps, and nested blocks as lists of their bodies. */
export interface TerraformBlock {
  readonly [name: string]: string | boolean | number | readonly string[] | Readonly<Record<string, string>> | readonly TerraformBlock[]
}

type BodiesByName = Readonly<Record<string, TerraformBlock>>

/**
 * A Terraform configuration in its JSON syntax, which can be applied as a `.tf.json` file. `hcl` writes it as a `.tf` file. All texts are
 * Terraform templates: `${reference}`, and `$${` for a literal `${`.
 */
export interface TerraformConfiguration {
  /** A comment. */
  readonly '//'?: string
  readonly variable?: BodiesByName
  /** Bodies by type and name. */
  readonly data?: Readonly<Record<string, BodiesByName>>
  readonly resource: Readonly<Record<string, BodiesByName>>
  readonly output: BodiesByName
}

/** A literal text, escaped for a Terraform template. */
const literal = (text: string) => text.replace(/[$%](?=\{)/g, '$&$&')

/** A Terraform name: letters, digits, underscores and hyphens. It does not begin with a digit or a hyphen. */
const resourceName = (table: string) => table.replaceAll('.', '_').replace(/^[^A-Za-z_]/, '_$&')

/**
 * The design's table as a Terraform configuration: the same table as in `cloudFormation`. Its address comes from the design and not from
 * `table`, so that another name is a change of this table, which `prevent_destroy` refuses. The files of a folder are one module, so the
 * outputs are also named after the table: two designs can be in one folder.
 * @param table the table's name; the design's own by default
 * @param options what is added to it; nothing by default
 * @throws InvalidInput if DynamoDB does not allow the name
 */
export function terraform(design: AnyDesign, table?: string, options?: TableOptions): TerraformConfiguration {
  const definition = tableDefinition(design, table, options)
  const { description, tags } = design
  const name = resourceName(design.table)
  const [hash_key, range_key] = definition.key
  const tagged = Object.entries(tags).map(([key, value]) => [literal(key), literal(value)])
  const attributeOf = (attribute: string) => `\${aws_dynamodb_table.${name}.${attribute}}`
  return {
    ...(description === undefined ? {} : { '//': description }),
    resource: {
      aws_dynamodb_table: {
        [name]: {
          name: literal(definition.table),
          billing_mode: 'PAY_PER_REQUEST',
          hash_key,
          range_key,
          deletion_protection_enabled: true,
          ...(tagged.length === 0 ? {} : { tags: Object.fromEntries(tagged) }),
          attribute: definition.keyAttributes.map((each) => ({ name: each, type: 'S' })),
          ...(definition.indexes.length === 0
            ? {}
            : {
                global_secondary_index: definition.indexes.map((index) => ({
                  name: index.name,
                  hash_key: index.key[0],
                  range_key: index.key[1],
                  projection_type: 'ALL',
                })),
              }),
          ...(definition.ttl === undefined ? {} : { ttl: [{ attribute_name: definition.ttl, enabled: true }] }),
          point_in_time_recovery: [{ enabled: true }],
          lifecycle: [{ prevent_destroy: true }],
        },
      },
    },
    output: {
      [`${name}_table_name`]: { description: 'DynamoDB table name', value: attributeOf('name') },
      [`${name}_table_arn`]: { description: 'DynamoDB table ARN', value: attributeOf('arn') },
    },
  }
}
