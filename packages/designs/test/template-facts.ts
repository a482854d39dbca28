import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Each value that a structure holds, by its path: `Resources.AppDataTable.Type` is `AWS::DynamoDB::Table`. */
export function factsOf(value: unknown, path = ''): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return { [path]: value }
  const facts = Object.entries(value).map(([name, part]) => factsOf(part, path === '' ? name : `${path}.${name}`))
  return Object.assign({}, ...facts)
}

/** CloudFormation's functions, in the short form of YAML and in the long form. */
const customTags = [
  { tag: '!Ref', resolve: (name: string) => ({ Ref: name }) },
  { tag: '!GetAtt', resolve: (path: string) => ({ 'Fn::GetAtt': path.split('.') }) },
]

/** The template of a design document, from fixtures/. */
export function documentTemplate(path: string): unknown {
  return parse(readFileSync(join(import.meta.dirname, 'fixtures', path), 'utf8'), { customTags })
}
