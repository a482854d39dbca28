import type { TerraformBlock, TerraformConfiguration } from './terraform.ts'

/** A quoted text: quotes, backslashes and control characters are escaped, `${` is not. Unlike JSON, HCL has no `\b` and `\f`. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]|\p{Cc}/gu, (character) =>
    character === '"' || character === '\\' ? `\\${character}` : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `"${escaped}"`
}

/** A text that is only an expression has no quotes. */
function expression(value: string | boolean | number): string {
  if (typeof value !== 'string') return String(value)
  return /^\$\{([^"{}]+)\}$/.exec(value)?.[1] ?? quoted(value)
}

const indented = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : `  ${line}`))

/** Lines of `name = value` with aligned equals signs, as `terraform fmt` formats them. */
function aligned(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => [...name].length))
  return pairs.map(([name, value]) => `${name}${' '.repeat(width - [...name].length)} = ${value}`)
}

function block(head: string, body: TerraformBlock): string[] {
  const scalars: [string, string][] = []
  const others: string[][] = []
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'object') scalars.push([name, expression(value)])
    else if (isTexts(value)) scalars.push([name, `[${value.map(expression).join(', ')}]`])
    else if (isList(value)) others.push(...value.map((each) => block(name, each)))
    else others.push([`${name} = {`, ...indented(aligned(Object.entries(value).map(([key, text]) => [quoted(key), quoted(text)]))), '}'])
  }
  const parts = [...(scalars.length === 0 ? [] : [aligned(scalars)]), ...others]
  return [`${head} {`, ...indented(parts.flatMap((part, index) => (index === 0 ? part : ['', ...part]))), '}']
}

// The type of Array.isArray alone does not tell a readonly array from a record.
type NotScalar = Exclude<TerraformBlock[string], string | boolean | number>
function isList(value: Exclude<NotScalar, readonly string[]>): value is readonly TerraformBlock[] {
  return Array.isArray(value)
}
function isTexts(value: NotScalar): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}

const named = (kind: string, bodies: TerraformConfiguration['output'] = {}): string[][] =>
  Object.entries(bodies).map(([name, body]) => block(`${kind} ${quoted(name)}`, body))
const typed = (kind: string, types: TerraformConfiguration['resource'] = {}): string[][] =>
  Object.entries(types).flatMap(([type, bodies]) => named(`${kind} ${quoted(type)}`, bodies))

/** A Terraform configuration as the text of a `.tf` file. */
export function hcl({ '//': comment, variable, data, resource, output }: TerraformConfiguration): string {
  const lines = comment === undefined ? [] : comment.split(/\p{Cc}+/u).map((line) => `# ${line}`)
  const blocks = [...named('variable', variable), ...typed('data', data), ...typed('resource', resource), ...named('output', output)]
  const [first = [], ...rest] = blocks.map((each) => `${each.join('\n')}\n`)
  return [[...lines, first].join('\n'), ...rest].join('\n')
}
