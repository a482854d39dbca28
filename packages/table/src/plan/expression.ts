/** Collects the names and values of one expression. Their placeholders are ASCII, since the embedded engine aborts on others. */
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
