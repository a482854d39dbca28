import { Document, isScalar, isSeq, Scalar, visit } from 'yaml'

function tagged(tag: string, value: unknown): Scalar {
  const scalar = new Scalar(value)
  scalar.tag = tag
  return scalar
}

/** CloudFormation's functions in their short form: `!Ref AppDataTable`, `!GetAtt AppDataTable.Arn`. */
function shortForm(name: unknown, argument: unknown): Scalar | undefined {
  if (name === 'Ref' && isScalar(argument)) return tagged('!Ref', argument.value)
  if (name === 'Fn::GetAtt' && isSeq(argument)) {
    return tagged('!GetAtt', argument.items.map((item) => (isScalar(item) ? item.value : item)).join('.'))
  }
  return undefined
}

/**
 * A CloudFormation template as YAML. CloudFormation, and many tools that read its templates, use YAML 1.1, in which `on` and `2010-09-09`
 * are text only in quotes.
 */
export function templateYaml(template: object): string {
  // Without aliases for repeated values.
  const document = new Document(template, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Map: (_key, { items }) => {
      const [only, another] = items
      return only === undefined || another !== undefined || !isScalar(only.key) ? undefined : shortForm(only.key.value, only.value)
    },
  })
  return document.toString({ lineWidth: 0, singleQuote: true })
}
