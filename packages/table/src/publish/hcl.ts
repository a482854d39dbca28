import type { TerraformBlock, TerraformConfiguration } from './terraform.ts'

/** A quoted text: quotes, backslashes and control characters are escaped, `${` is not. Unlike JSON, HCL has no `\b` and `\f`. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]|\p{Cc}/gu, (character) =>
    character === '"' || character === '\\' ? `\\${character}` : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `"${escaped}"`
}

/** A text that is only a reference has no quotes. */
function expression(value: string | boolean): string {
  if (typeof value === 'boolean') return String(value)
  return /^\$\{([\w.-]+)\}$/.exec(value)?.[1] ?? quoted(value)
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
    else if (isList(value)) others.push(...value.map((each) => block(name, each)))
    else others.push([`${name} = {`, ...indented(aligned(Object.entries(value).map(([key, text]) => [quoted(key), quoted(text)]))), '}'])
  }
  const parts = [...(scalars.length === 0 ? [] : [aligned(scalars)]), ...others]
  return [`${head} {`, ...indented(parts.flatMap((part, index) => (index === 0 ? part : ['', ...part]))), '}']
}

// The type of Array.isArray alone does not tell a readonly array from a record.
function isList(value: Exclude<TerraformBlock[string], string | boolean>): value is readonly TerraformBlock[] {
  return Array.isArray(value)
}

/** A Terraform configuration as the text of a `.tf` file. */
export function hcl({ '//': comment, resource, output }: TerraformConfiguration): string {
  const lines = comment === undefined ? [] : comment.split(/\p{Cc}+/u).map((line) => `# ${line}`)
  const resources = Object.entries(resource).flatMap(([type, bodies]) =>
    Object.entries(bodies).map(([name, body]) => block(`resource ${quoted(type)} ${quoted(name)}`, body)),
  )
  const outputs = Object.entries(output).map(([name, body]) => block(`output ${quoted(name)}`, body))
  const [first = [], ...rest] = [...resources, ...outputs].map((each) => `${each.join('\n')}\n`)
  return [[...lines, first].join('\n'), ...rest].join('\n')
}
