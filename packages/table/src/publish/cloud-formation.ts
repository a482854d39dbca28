import type { AnyDesign } from '../design/design.ts'
import type { CreateTableInput } from '../dynamo/operation.ts'
import { createTableInput } from './create-table-input.ts'
import { type TableOptions, tableDefinition } from './table-definition.ts'

/** Properties of CloudFormation's `AWS::DynamoDB::Table`. */
export interface TableProperties extends CreateTableInput {
  readonly TimeToLiveSpecification?: { readonly AttributeName: string; readonly Enabled: true }
  readonly PointInTimeRecoverySpecification: { readonly PointInTimeRecoveryEnabled: true }
  readonly Tags?: readonly { readonly Key: string; readonly Value: string }[]
}

interface Output {
  readonly Description: string
  readonly Value: { readonly Ref: string } | { readonly 'Fn::GetAtt': readonly [logicalId: string, attribute: string] }
}

/** A CloudFormation template of one table. As JSON it can be deployed as it is. */
export interface CloudFormationTemplate {
  readonly AWSTemplateFormatVersion: '2010-09-09'
  readonly Description?: string
  /** The table by its logical id. */
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: 'AWS::DynamoDB::Table'
        readonly DeletionPolicy: 'Retain'
        readonly UpdateReplacePolicy: 'Retain'
        readonly Properties: TableProperties
      }
    >
  >
  readonly Outputs: { readonly TableName: Output; readonly TableArn: Output }
}

/** A logical id has letters and digits only, 255 at most: `app_data` is `AppDataTable`. */
function logicalId(table: string): string {
  const words = table.split(/[^A-Za-z0-9]+/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return `${name.slice(0, 250)}Table`
}

/**
 * The design's table as a CloudFormation template: the table of `ensureTable`, with the design's tags and with protection of its data:
 * point-in-time recovery, deletion protection, and retention when the table leaves its stack. The logical id comes from the design and not
 * from `table`, so that templates of one design differ only in the table's name.
 * @param table the table's name; the design's own by default
 * @param options what is added to it; nothing by default
 * @throws InvalidInput if DynamoDB does not allow the name
 */
export function cloudFormation(design: AnyDesign, table?: string, options?: TableOptions): CloudFormationTemplate {
  const definition = tableDefinition(design, table, options)
  const { description } = design
  const tags = Object.entries(design.tags).map(([Key, Value]) => ({ Key, Value }))
  const id = logicalId(design.table)
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    ...(description === undefined ? {} : { Description: description }),
    Resources: {
      [id]: {
        Type: 'AWS::DynamoDB::Table',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          ...createTableInput(definition),
          ...(definition.ttl === undefined ? {} : { TimeToLiveSpecification: { AttributeName: definition.ttl, Enabled: true } }),
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          DeletionProtectionEnabled: true,
          ...(tags.length === 0 ? {} : { Tags: tags }),
        },
      },
    },
    Outputs: {
      TableName: { Description: 'DynamoDB table name', Value: { Ref: id } },
      TableArn: { Description: 'DynamoDB table ARN', Value: { 'Fn::GetAtt': [id, 'Arn'] } },
    },
  }
}
