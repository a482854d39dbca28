import { ActionIcon, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Nothing } from '../app/states.tsx'
import { capital, ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { useList } from '../app/use-list.ts'
import { Giving, MakingWithin } from './doing.tsx'
import { HeldList } from './held.tsx'
import { Called, ItemList, State } from './item-list.tsx'
import { atLevels, Levels, leveled } from './levels.tsx'
import { below, grantIn, isUsedUp, type List, listsFrom, pluralOf } from './lists.ts'
import { PageScreen, type Panel } from './page.tsx'
import { ProvisioningReport } from './platform/provisioning.tsx'
import { fieldOf, QuestionAbout } from './question.tsx'

function Branches({ design, list }: { readonly design: ToldDesign; readonly list: List }) {
  const read = useList(design, list)
  const rows = read.data?.pages.flatMap(({ items }) => items) ?? []
  if (read.isPending)
    return (
      <Text size="sm" c="dimmed" py={4}>
        Reading …
      </Text>
    )
  if (read.isError && read.data === undefined)
    return (
      <Text size="sm" c="red" py={4} role="alert">
        The {pluralOf(list.of)} cannot be read.
      </Text>
    )
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed" py={4}>
        No {pluralOf(list.of)}
      </Text>
    )
  return (
    <>
      {rows.map((row) => (
        <Branch key={textOf(row[ownKey(design, list.of) ?? ''])} design={design} entity={list.of} row={row} />
      ))}
      {read.hasNextPage && (
        <Button variant="subtle" size="compact-sm" loading={read.isFetchingNextPage} onClick={() => read.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

/** A place with those below it, which are read once it is opened. */
function Branch({ design, entity, row }: { readonly design: ToldDesign; readonly entity: string; readonly row: Values }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const list = below(design, entity, listsFrom(design, entity, row, 0))
  const label = (
    <>
      <Called {...{ design, of: entity, row }} />{' '}
      <Text span size="xs" c="dimmed">
        {words(entity).toLowerCase()}
      </Text>{' '}
      {typeof row.status === 'string' && row.status !== 'active' && <State state={row.status} />}
    </>
  )
  if (list === undefined)
    return (
      <Text component="div" size="sm" py={4} className="leaf">
        {label}
      </Text>
    )
  return (
    <div>
      <div className="branch">
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-label={`What lies in ${textOf(row.name) || words(entity)}`}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        </ActionIcon>
        <Text component="div" size="sm">
          {label}
        </Text>
      </div>
      {isOpen && (
        <div className="branches">
          <Branches {...{ design, list }} />
        </div>
      )}
    </div>
  )
}

/** A tenant, or a place within one: its people, the places below it, its roles, and whatever else the design lists from it. */
export const PlaceScreen = () => (
  <PageScreen
    room="tenants"
    panels={({ design, entity, item, lists }) => {
      const { person, role } = design.people ?? { person: '', role: undefined }
      const named = words(entity).toLowerCase()
      const people = lists.find(({ of }) => of === person)
      const granted = lists.filter(
        ({ of }, index) => grantIn(design, of) !== undefined && lists.findIndex((each) => each.of === of) === index,
      )
      const places = below(design, entity, lists)
      const roles = lists.find(({ of }) => of === role?.entity)
      const own: (Panel | undefined)[] = [
        people === undefined && granted.length === 0
          ? undefined
          : {
              tab: 'people',
              title: capital(pluralOf(person)),
              content: (
                <Stack gap="lg">
                  {people !== undefined && (
                    <ItemList {...{ design, list: people }} empty={<Nothing title={`This ${named} has no ${pluralOf(person)}`} />} />
                  )}
                  {granted.map((list) => (
                    <HeldList key={list.pattern} {...{ design, list, at: entity }} title={`Given at this ${named} itself`} />
                  ))}
                  <Group gap="xs">
                    <Giving {...{ design, entity, item }} />
                    <MakingWithin {...{ design, entity, item }} of={person} />
                  </Group>
                </Stack>
              ),
            },
        fieldOf(design, 'who', entity) === undefined
          ? undefined
          : { tab: 'may', title: 'Who may', content: <QuestionAbout {...{ design, asking: 'who', entity, item }} /> },
        places === undefined
          ? undefined
          : {
              tab: 'places',
              title: 'Places',
              content: (
                <Paper withBorder p="md">
                  <Title order={2} size="h5" mb="xs">
                    {capital(pluralOf(places.of))}
                  </Title>
                  <Branches {...{ design, list: places }} />
                  <MakingWithin {...{ design, entity, item }} of={places.of} />
                </Paper>
              ),
            },
        roles === undefined
          ? undefined
          : {
              tab: 'roles',
              title: 'Roles',
              content: <ItemList {...{ design, list: roles }} empty={<Nothing title={`This ${named} has no roles of its own`} />} />,
            },
      ]
      for (const of of leveled(design).filter(
        (each) => atLevels(design, each).length > 0 && design.people?.places.some((place) => place.entity === entity),
      ))
        own.push({ tab: of, title: capital(pluralOf(of)), content: <Levels {...{ design, of, entity, item }} /> })
      for (const list of lists.filter(({ of }) => isUsedUp(design, of)).slice(0, 1))
        own.push({
          tab: 'use',
          title: capital(pluralOf(list.of)),
          content: (
            <Stack>
              <ItemList {...{ design, list }} empty={<Nothing title={`This ${named} has no ${pluralOf(list.of)}`} />} />
              <MakingWithin {...{ design, entity, item }} of={list.of} />
            </Stack>
          ),
        })
      if (design.form.design === 'platform' && entity === 'Account')
        own.push({
          tab: 'provisioning',
          title: 'Provisioning',
          content: <ProvisioningReport design={design.form.design} account={textOf(item.id)} />,
        })
      const shown = [person, role?.entity ?? '', places?.of ?? '', ...granted.map(({ of }) => of)]
      return { own: own.filter((panel) => panel !== undefined), shown }
    }}
  />
)
