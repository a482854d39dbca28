import { mayStandInFile, type Setting, type SettingTable, saysOf } from './setting.ts'

function valueSchema(setting: Setting): Readonly<Record<string, unknown>> {
  switch (setting.kind) {
    case 'number':
      return { type: 'integer', minimum: setting.least, maximum: setting.most }
    case 'flag':
      return { type: 'boolean' }
    case 'choice':
      return { type: 'string', enum: setting.choices }
    case 'list':
      return { type: 'array', items: { type: 'string', pattern: '^\\S+$' } }
    default:
      return { type: 'string', minLength: 1 }
  }
}

/** The JSON Schema of the file of settings, for editors. Secrets may not stand in the file, and have no place in it. */
export function configSchema(known: SettingTable): object {
  const open = Object.entries(known).filter(([, setting]) => mayStandInFile(setting))
  const properties = open.map(([name, setting]): [string, object] => [
    name,
    {
      description: `${saysOf(setting)}${setting.kind === 'number' && setting.unit !== undefined ? ` (${setting.unit})` : ''}`,
      ...valueSchema(setting),
      ...(setting.default === undefined ? {} : { default: setting.default }),
    },
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of freehold',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  }
}
