import { Anchor, Badge, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { designClient, sessionQuery } from '../app/service.ts'
import { keyOf, keyPlaceholders, labelOf, ownKey, type ToldDesign, textOf, type Values } from '../app/told.ts'
import { Id, ItemLink, searchOf } from '../app/value.tsx'
import { type Lead, ownerOf } from './lists.ts'

const ids = ['uuid', 'ulid', 'opaque id']

/** How people call an item: by its name, or by a key that is one, as that of a page is. */
export function calledBy(design: ToldDesign, entity: string, item: Values): string | undefined {
  const own = ownKey(design, entity)
  const kind = design.form.entities[entity]?.attributes?.[own ?? '']?.kind ?? 'uuid'
  const key = own === undefined || ids.includes(kind) ? undefined : item[own]
  return labelOf(item) ?? (typeof key === 'string' ? key : undefined)
}

/** The item to which another leads. A lookup item knows the key of what it stands for. */
export const leadQuery = (design: ToldDesign, { to, id }: Pick<Lead, 'to' | 'id'>) =>
  queryOptions({
    queryKey: ['lead', design.form.design, to, id],
    queryFn: async ({ signal }): Promise<Values | null> => {
      const client = designClient(design.form.design)
      const { patterns } = design.form
      const [getter] = Object.entries(patterns).find(([, each]) => each.operation === 'get' && each.returns[0] === to) ?? []
      const owner = ownerOf(design, to)
      if (owner === to || getter === undefined) return (await client.get(to, id, { signal })) ?? null
      const found = await client.pattern(getter, id, { signal })
      const key = found && keyOf(design, owner, found)
      const isWhole = key !== undefined && keyPlaceholders(design, owner).every((name) => key[name] !== undefined)
      return isWhole && labelOf(found ?? {}) === undefined ? ((await client.get(owner, key, { signal })) ?? null) : (found ?? null)
    },
  })

/** A link to the page of an item: a person, a place and a role have one of their own. */
export function PageLink({ design, entity, id, children }: { design: ToldDesign; entity: string; id: Values; children: ReactNode }) {
  const { people } = design
  const { form } = design
  const search = searchOf(id)
  const params = { design: form.design, entity }
  if (entity === people?.person)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/$design/people/$entity/$tab" params={{ ...params, tab: 'access' }} search={search} />}
      >
        {children}
      </Anchor>
    )
  if (people?.places.some((place) => place.entity === entity))
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/$design/tenants/$entity/$tab" params={{ ...params, tab: 'people' }} search={search} />}
      >
        {children}
      </Anchor>
    )
  if (entity === people?.role?.entity)
    return (
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/$design/roles" params={params} search={search} />}>
        {children}
      </Anchor>
    )
  return (
    <ItemLink design={form.design} entity={entity} id={id}>
      {children}
    </ItemLink>
  )
}

/** What an item leads to, by its name, as a link to its page. What cannot be read has its id. */
export function Named({ design, lead }: { readonly design: ToldDesign; readonly lead: Lead }) {
  const { data: session } = useQuery(sessionQuery)
  const mayRead = session?.may.includes('read') === true
  const found = useQuery({ ...leadQuery(design, lead), enabled: mayRead })
  const entity = ownerOf(design, lead.to)
  const own = textOf(lead.id[ownKey(design, entity) ?? ''] ?? Object.values(lead.id)[0])
  if (found.data === undefined || found.data === null)
    return (
      <Text span size="sm">
        <Id id={own} />
        {found.data === null && (
          <Badge color="red.9" size="xs" ml={4}>
            removed
          </Badge>
        )}
      </Text>
    )
  return (
    <PageLink design={design} entity={entity} id={keyOf(design, entity, found.data) ?? lead.id}>
      <bdi className="whole">{calledBy(design, entity, found.data) ?? own}</bdi>
    </PageLink>
  )
}
