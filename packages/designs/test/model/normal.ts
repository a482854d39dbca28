/** How each kind of value is stored, whatever its spelling (spec rule 5), said a second time. By the kind's name; others are stored as given. */
const normals: Readonly<Record<string, (text: string) => string>> = {
  uuid: (text) => text.trim().toLowerCase(),
  ulid: (text) => text.trim().toUpperCase(),
  'opaque id': (text) => text.trim(),
  text: (text) => text.trim().normalize('NFC'),
  code: (text) => text.trim().toUpperCase(),
  username: (text) => text.trim().toLowerCase(),
  email: (text) => text.trim().toLowerCase(),
  phone: (text) => text.replace(/[ ()-]/g, ''),
  instant: (text) => (text.length === 10 ? text : new Date(text.trim()).toISOString()),
  day: (text) => text.trim(),
}

export function normal(kind: string, value: unknown): unknown {
  return typeof value === 'string' ? (normals[kind]?.(value) ?? value) : value
}

/** Another spelling of the same value. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  uuid: (text) => text.toUpperCase(),
  ulid: (text) => text.toLowerCase(),
  text: (text) => ` ${text} `,
  code: (text) => text.toLowerCase(),
  username: (text) => ` ${text.toUpperCase()}`,
  email: (text) => `${text.toUpperCase()} `,
  phone: (text) => `${text.slice(0, 3)} ${text.slice(3)}`,
  instant: (text) => (text.length === 10 ? text : new Date(Date.parse(text) + 3_600_000).toISOString().replace('Z', '+01:00')),
}

export function respelled(kind: string, value: unknown): unknown {
  return typeof value === 'string' ? (spellings[kind]?.(value) ?? value) : value
}
