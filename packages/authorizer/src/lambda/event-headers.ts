/** The part of a gateway's event that has headers. */
export interface HeaderEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
}

/** The host of a request: what the gateway tells, or else the header. Several are joined by commas, as other headers are. */
export function hostOf(told: string | undefined, header: (name: string) => readonly string[]): string | undefined {
  const values = header('host')
  return told ?? (values.length === 0 ? undefined : values.join(','))
}

/** The values of headers, by their names in lower case. A gateway gives each value once, or in both forms. */
export function eventHeaders({ headers, multiValueHeaders }: HeaderEvent): (name: string) => readonly string[] {
  const values = new Map<string, string[]>()
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string') values.set(name, [...(values.get(name) ?? []), value])
  }
  const many = Object.entries(multiValueHeaders ?? {})
  for (const [name, all] of many) if (Array.isArray(all)) for (const value of all) add(name.toLowerCase(), value)
  const inMany = new Set(values.keys())
  for (const [name, value] of Object.entries(headers ?? {})) {
    const key = name.toLowerCase()
    // The single form has the last of the values.
    if (!inMany.has(key) || !values.get(key)?.includes(String(value))) add(key, value)
  }
  return (name) => values.get(name) ?? []
}
