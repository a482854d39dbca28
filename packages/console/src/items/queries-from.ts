import { placeholders, plain, type ToldDesign, type Values } from '../app/told.ts'

/** The queries that begin at an item: their parameters are attributes of it, or name it, as `locationId` and `client_id` do. */
export function queriesFrom(
  { form }: ToldDesign,
  entity: string,
  item: Values,
): readonly (readonly [pattern: string, parameters: Values])[] {
  const [own, ...others] = [...placeholders(form.entities[entity]?.key ?? [])].reverse()
  if (own === undefined || others.length > 1) return []
  return Object.entries(form.patterns).flatMap(([pattern, { operation, parameters = [], returns }]) => {
    if (operation !== 'query' || parameters.length !== 1 || (returns.length === 1 && returns[0] === entity)) return []
    const [parameter = ''] = parameters
    const isNamed = plain(parameter) === `${plain(entity)}id` || (parameter === own && plain(own).startsWith(plain(entity)))
    return isNamed ? [[pattern, { [parameter]: item[own] }] as const] : []
  })
}
