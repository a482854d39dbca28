import { Anchor, Badge, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { designClient, itemQuery, queries } from '../app/service.ts'
import { Failed, Further, Nothing, Waiting } from '../app/states.tsx'
import { capital, type ToldDesign, type ToldRole, type Values, words } from '../app/told.ts'
import { useList } from '../app/use-list.ts'
import { Doing, Making } from './doing.tsx'
import { OfPeople } from './find-screen.tsx'
import { gridOf, isListed, listedIn, type Permission, permissionsOf } from './grid.ts'
import { HeldList } from './held.tsx'
import { ItemList } from './item-list.tsx'
import { grantIn, type List, leadsTo, listsFrom, pluralOf, wholeLists } from './lists.ts'
import { calledBy, leadQuery } from './named.tsx'
import { RoleGrid } from './role-grid.tsx'

const above_max = 10
const permissions_max = 200

/** The list of what a role allows, where items say it. */
function permissionList(design: ToldDesign, entity: string, { permissions }: ToldRole, role: Values): List | undefined {
  const sides = design.form.entities[permissions?.entity ?? '']?.sides ?? [permissions?.entity]
  return permissions === undefined || isListed(permissions, role)
    ? undefined
    : listsFrom(design, entity, role, 0).find(({ of }) => sides.includes(of))
}

interface Inherited {
  readonly permissions: readonly Permission[]
  /** There are more. */
  readonly isCut: boolean
}

/** The roles above one, from the nearest, each with what it allows: an inherited role is not changed here, so that a page of each is enough. */
const inheritedQuery = (design: ToldDesign, entity: string, told: ToldRole, role: Values) => ({
  queryKey: ['inherited', design.form.design, entity, role],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Inherited> => {
    const found: Permission[] = []
    let isCut = false
    let from = role
    for (let level = 0; ; level++) {
      const lead = leadsTo(design, entity, from, entity).find(({ attribute }) => attribute === told.parent)
      const above = lead && (await queries.fetchQuery(leadQuery(design, lead)))
      if (above === undefined || above === null || told.permissions === undefined) break
      if (level === above_max) {
        isCut = true
        break
      }
      const name = calledBy(design, entity, above) ?? words(entity)
      const list = permissionList(design, entity, told, above)
      const answer =
        list && (await designClient(design.form.design).pattern(list.pattern, list.parameters, { signal, limit: permissions_max }))
      const items = Array.isArray(answer?.items) ? (answer.items as Values[]) : []
      const { permissions } = told
      isCut ||= answer?.cursor !== undefined
      found.push(
        ...(list === undefined ? listedIn(permissions, above, name) : items.flatMap((item) => permissionsOf(permissions, item, name))),
      )
      from = above
    }
    return { permissions: found, isCut }
  },
})

const nowhere = { pattern: '', parameters: {} }

/** What a role allows, with what it inherits. */
function Allows({ design, entity, told, role }: { design: ToldDesign; entity: string; told: ToldRole; role: Values }) {
  const permissions = told.permissions ?? {}
  const list = permissionList(design, entity, told, role)
  const read = useList(design, list ?? nowhere, permissions_max, list !== undefined)
  const [all] = permissions.catalogue === undefined ? [] : wholeLists(design, permissions.catalogue)
  const catalogue = useList(design, all ?? nowhere, permissions_max, all !== undefined)
  const inherited = useQuery({ ...inheritedQuery(design, entity, told, role), enabled: told.parent !== undefined })
  if (told.permissions === undefined)
    return (
      <Nothing title="Policies say what it allows">
        The items of this design name the role alone. Ask, what somebody may do who has it.
      </Nothing>
    )
  if (list !== undefined && read.isPending) return <Waiting of="what it allows" />
  if (list !== undefined && read.isError && read.data === undefined) return <Failed error={read.error} again={read.refetch} />
  const items = read.data?.pages.flatMap((page) => page.items) ?? []
  const own =
    list === undefined ? listedIn(permissions, role, undefined) : items.flatMap((item) => permissionsOf(permissions, item, undefined))
  const known = catalogue.data?.pages.flatMap((page) => page.items) ?? []
  const grid = gridOf([...own, ...(inherited.data?.permissions ?? [])], known, permissions)
  return (
    <Stack gap="xs">
      {inherited.isError && <Failed error={inherited.error} again={inherited.refetch} />}
      <RoleGrid grid={grid} titles={permissions.rows ?? ['permission']} caption="What the role allows" />
      {inherited.data?.isCut === true && (
        <Text size="sm" c="dimmed" role="status">
          It inherits more than is shown: {permissions_max} permissions of each role above it, {above_max} roles up. Open those to see all.
        </Text>
      )}
      {list !== undefined && <Further list={read} />}
      {all !== undefined && catalogue.hasNextPage && <Further list={catalogue} />}
    </Stack>
  )
}

function RolePage({ design, told, id }: { readonly design: ToldDesign; readonly told: ToldRole; readonly id: Values }) {
  const entity = told.entity ?? ''
  const read = useQuery(itemQuery(design.form.design, entity, id))
  if (read.isPending) return <Waiting of="the role" />
  if (read.isError) return <Failed error={read.error} again={read.refetch} />
  const role = read.data
  if (role === null)
    return (
      <Nothing isScreen title="There is no such role">
        It may have been removed since this page was linked.
      </Nothing>
    )
  const held = listsFrom(design, entity, role, 0).find(({ of }) => grantIn(design, of) !== undefined)
  return (
    <Stack maw={1120} gap="md">
      <div>
        <Breadcrumbs separator="›" separatorMargin={6}>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/$design/roles" params={{ design: design.form.design }} />}>
            Roles
          </Anchor>
          <Text c="dimmed" size="sm">
            {words(entity)}
          </Text>
        </Breadcrumbs>
        <Group justify="space-between">
          <Title order={1} size="h2" mt={4}>
            <bdi className="whole">{calledBy(design, entity, role) ?? words(entity)}</bdi>
          </Title>
          <Doing {...{ design, entity, item: role }} />
        </Group>
        {typeof role.description === 'string' && (
          <Text c="dimmed" size="sm" className="whole">
            {role.description}
          </Text>
        )}
      </div>
      <Allows {...{ design, entity, told, role }} />
      {held === undefined ? (
        <Text size="sm" c="dimmed">
          The design has no list of who has a role.
        </Text>
      ) : (
        <HeldList {...{ design, list: held, at: entity }} title="Who has it" />
      )}
    </Stack>
  )
}

/** Roles that the design declares: one grid shows them all. */
function Declared({ design, declared }: { readonly design: ToldDesign; readonly declared: Readonly<Record<string, readonly string[]>> }) {
  const permissions = Object.entries(declared).flatMap(([role, actions]) =>
    actions.map((action): Permission => ({ row: [action], column: role, isAllowed: true })),
  )
  const actions = (design.access?.actions ?? []).map((action) => ({ action }))
  const grid = gridOf(permissions, [], { rows: ['action'] })
  const rows = [...new Set([...actions.map(({ action }) => action), ...grid.rows.flat()])].map((action) => [action])
  const asks = design.questions.who !== undefined
  return (
    <Stack maw={1120} gap="md">
      <Title order={1} size="h2">
        Roles
      </Title>
      <Group gap="xs">
        {Object.keys(declared).map((role) => (
          <Badge key={role} variant="default">
            {role}
          </Badge>
        ))}
      </Group>
      <RoleGrid grid={{ ...grid, rows, columns: Object.keys(declared) }} titles={['action']} caption="What each role allows" />
      {asks && (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/$design/ask" params={{ design: design.form.design }} search={{ asked: 'who' }} />}
        >
          Ask who may do one of these at a place
        </Anchor>
      )}
    </Stack>
  )
}

const titleOf = ({ pattern, parameters }: List) =>
  capital([words(pattern).toLowerCase(), ...Object.values(parameters).map(String)].join(' '))

function Roles({ design, told }: { readonly design: ToldDesign; readonly told: ToldRole }) {
  const entity = told.entity ?? ''
  const lists = wholeLists(design, entity)
  const [place] = design.people?.places ?? []
  return (
    <Stack maw={1120} gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2">
          Roles
        </Title>
        <Making design={design} entity={entity} />
      </Group>
      {lists.length === 0 && (
        <Nothing title="This design has no list of all roles">
          {capital(pluralOf(place?.entity ?? 'place'))} list their own, and what a person holds leads to its role.
        </Nothing>
      )}
      {lists.slice(0, 3).map((list) => (
        <Stack key={titleOf(list)} gap="xs">
          <Title order={2} size="h5">
            {titleOf(list)}
          </Title>
          <ItemList {...{ design, list }} empty={<Nothing title="There are no roles here yet" />} />
        </Stack>
      ))}
    </Stack>
  )
}

/** Roles: what each allows, in a grid, and who has it. */
export function RolesScreen() {
  const id = useSearch({ from: '/$design/roles' })
  return (
    <OfPeople>
      {(design, { role }) =>
        role === undefined ? (
          <Nothing title="This design has no roles">What is granted is granted item by item.</Nothing>
        ) : role.declared !== undefined ? (
          <Declared design={design} declared={role.declared} />
        ) : Object.keys(id).length > 0 ? (
          <RolePage key={JSON.stringify(id)} {...{ design, told: role, id }} />
        ) : (
          <Roles {...{ design, told: role }} />
        )
      }
    </OfPeople>
  )
}
