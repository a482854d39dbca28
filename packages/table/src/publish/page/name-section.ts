import type { AnyDesign } from '../../design/design.ts'
import { storedName } from '../../design/names.ts'
import { code, table } from './markdown.ts'

/** What this page calls otherwise than the table, which another program fills. */
export function nameSection({ form: { names, entities, indexes } }: AnyDesign): string[] {
  if (names === undefined) return []
  const attributes = [...new Set([...entities.values()].flatMap((entity) => Object.keys(entity.attributes)))]
  const rows = [
    ...['PK', 'SK', 'Type', 'version', 'ttl', ...indexes.flatMap((index) => [`${index}PK`, `${index}SK`]), ...attributes]
      .filter((name) => storedName(names, name) !== name)
      .map((name) => [code(name), 'attribute', code(storedName(names, name))]),
    ...indexes.map((index) => [code(index), 'index', code(names.indexes.get(index) ?? index)]),
    ...[...entities.keys()].map((name) => [code(name), `value of ${code('Type')}`, code(names.types.toTable.get(name) ?? name)]),
  ]
  return [
    '## Names in the table',
    `Another program fills this table, too, and has given it names of its own. ${
      names.isCounted
        ? ''
        : 'It does not count its writes: a write that names a version is refused, and each write compares the attributes that it read.'
    }`.trim(),
    table(
      ['here', 'what', 'in the table'],
      rows.filter(([here, , there]) => here !== there),
    ),
  ]
}
