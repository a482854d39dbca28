import { keyNames } from '../design/compiled-pattern.ts'
import { finding } from './finding.ts'
import type { Check } from './survey.ts'

/** DynamoDB's default quota of global secondary indexes a table. */
export const indexesMax = 20

/** A design that declares that it has no indexes has none. */
export const forbiddenIndexes: Check = ({ design, indexes, entities }) =>
  design.noIndexes
    ? indexes.map((index) => {
        const users = entities.filter(({ form }) => form.indexes[index] !== undefined).map(({ name }) => name)
        const message = `${design.name} declares that it has no indexes, but ${users.join(' and ')} has a key in ${index}. Remove it.`
        return finding('IndexForbidden', index, message, { entities: users })
      })
    : []

export const indexCount: Check = ({ design, indexes }) =>
  indexes.length > indexesMax
    ? [
        finding(
          'TooManyIndexes',
          design.name,
          `${design.name} has ${indexes.length} global secondary indexes; DynamoDB allows ${indexesMax} a table. Let entities share an index: overload its keys.`,
          { count: indexes.length, max: indexesMax },
        ),
      ]
    : []

/** The key of an index overwrites no attribute. */
export const indexAttributes: Check = ({ indexes, entities }) =>
  indexes.flatMap((index) =>
    keyNames(index).flatMap((attribute) =>
      entities
        .filter(({ attributes }) => attributes[attribute] !== undefined)
        .map(({ name }) =>
          finding(
            'IndexAttribute',
            index,
            `${name} declares '${attribute}', which is a key attribute of the index ${index}. Rename one of the two.`,
            { entity: name, attribute },
          ),
        ),
    ),
  )
