/** What must hold of an item for an action on it to be applied. Rendered to an expression just before sending. */
export type Condition =
  /** No item under the key, or one whose life is over (spec rule 7). */
  | { readonly is: 'absent'; readonly now: Date; readonly expires?: string | undefined }
  | { readonly is: 'present' }
  /** Present and not being deleted. */
  | { readonly is: 'live' }
  /** Version 0 is an item that was written without one. */
  | { readonly is: 'version'; readonly version: number }
  | { readonly is: 'equal'; readonly attribute: string; readonly value: unknown }
  /** Nothing there, or these attributes: never another owner's guard. */
  | { readonly is: 'mine'; readonly attributes: Readonly<Record<string, unknown>> }

/** Collects names and values of one expression. Placeholders are ASCII: the embedded engine aborts on others. */
export class Expression {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}
  private readonly known = new Map<string, string>()
  private count = 0

  name(attribute: string): string {
    const known = this.known.get(attribute)
    if (known !== undefined) return known
    const placeholder = `#n${this.known.size}`
    this.known.set(attribute, placeholder)
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: unknown): string {
    const placeholder = `:v${this.count++}`
    this.values[placeholder] = value
    return placeholder
  }
}

/** Seconds since the epoch, as DynamoDB's TTL counts. */
export function epochSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}

function render(condition: Condition, expression: Expression): string {
  const { is } = condition
  switch (is) {
    case 'absent': {
      const { now, expires } = condition
      const absent = `attribute_not_exists(${expression.name('PK')})`
      if (expires === undefined) return absent
      const over = `${expression.name(expires)} <= ${expression.value(now.toISOString())}`
      return `(${absent} OR ${over} OR ${expression.name('ttl')} <= ${expression.value(epochSeconds(now))})`
    }
    case 'present':
      return `attribute_exists(${expression.name('PK')})`
    case 'live':
      return `attribute_exists(${expression.name('PK')}) AND attribute_not_exists(${expression.name('deleting')})`
    case 'version': {
      const name = expression.name('version')
      if (condition.version === 0) return `attribute_exists(${expression.name('PK')}) AND attribute_not_exists(${name})`
      return `${name} = ${expression.value(condition.version)}`
    }
    case 'equal':
      return `${expression.name(condition.attribute)} = ${expression.value(condition.value)}`
    case 'mine': {
      const equal = Object.entries(condition.attributes).map(
        ([attribute, value]) => `${expression.name(attribute)} = ${expression.value(value)}`,
      )
      return `(attribute_not_exists(${expression.name('PK')}) OR (${equal.join(' AND ')}))`
    }
  }
}

/** The condition expression, or undefined where there is nothing to hold. */
export function renderConditions(conditions: readonly Condition[], expression: Expression): string | undefined {
  if (conditions.length === 0) return undefined
  return conditions.map((condition) => render(condition, expression)).join(' AND ')
}
