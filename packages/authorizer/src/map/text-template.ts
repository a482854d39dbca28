/** A variable of a template by its source: `{ticket}` of the path or of the arguments, `{claim.team}`, `{header.x-team}`, `{tenant}`, `{user}`. */
export interface Variable {
  readonly from: 'asked' | 'claim' | 'header' | 'tenant' | 'user'
  readonly name: string
}

/** Literal texts and the variables between them. */
export interface TextTemplate {
  readonly parts: readonly (string | Variable)[]
}

const placeholder = /\{([^{}]*)\}/g
const nameForm = /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/

function variableOf(name: string): Variable {
  if (name === 'tenant' || name === 'user') return { from: name, name }
  const [source = '', ...rest] = name.split('.')
  if (rest.length > 0 && source === 'claim') return { from: source, name: rest.join('.') }
  // Headers have no case.
  if (rest.length > 0 && source === 'header') return { from: source, name: rest.join('.').toLowerCase() }
  return { from: 'asked', name }
}

/** Reads a template. A brace that is no part of a variable is refused: it is more likely a slip than a text. */
export function readTextTemplate(text: string): TextTemplate | { readonly problem: string } {
  const parts: (string | Variable)[] = []
  let end = 0
  for (const match of text.matchAll(placeholder)) {
    const [whole, name = ''] = match
    if (!nameForm.test(name)) return { problem: `has ${JSON.stringify(whole)}, which names no variable` }
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(variableOf(name))
    end = match.index + whole.length
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end))
  const isSlip = parts.some((part) => typeof part === 'string' && /[{}]/.test(part))
  return isSlip ? { problem: 'has a brace that closes nothing, or is not closed' } : { parts }
}

export const variablesOf = ({ parts }: TextTemplate): readonly Variable[] => parts.filter((part) => typeof part !== 'string')
