import { Accordion, Breadcrumbs, Group, Stack, Table, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { itemQuery } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { Id, searchOf, Value } from '../app/value.tsx'
import { PatternAnswer } from '../items/pattern-answer.tsx'
import { Doing } from './doing.tsx'
import { OfPeople } from './find-screen.tsx'
import { State } from './item-list.tsx'
import { bestLists, type List, leadsOf, listsFrom } from './lists.ts'
import { calledBy, Named } from './named.tsx'
import { keyInAddress } from './question.tsx'

export interface Panel {
  readonly tab: string
  readonly title: string
  readonly content: ReactNode
}

/** The attributes of an item; what it leads to by name. */
function About({ design, entity, item }: { readonly design: ToldDesign; readonly entity: string; readonly item: Values }) {
  const leads = new Map(leadsOf(design, entity, item).map((lead) => [lead.attribute, lead]))
  const { Type: _type, version, ...own } = item
  return (
    <Table verticalSpacing={6} aria-label="Attributes">
      <Table.Tbody>
        {Object.entries({ ...own, version }).map(([attribute, value]) => {
          const lead = leads.get(attribute)
          return (
            <Table.Tr key={attribute}>
              <Table.Th scope="row" w="30%">
                {words(attribute)}
              </Table.Th>
              <Table.Td>{lead === undefined || Array.isArray(value) ? <Value value={value} /> : <Named {...{ design, lead }} />}</Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

/** Lists that have no place of their own, each read once it is opened. */
function Others({ design, lists }: { readonly design: ToldDesign; readonly lists: readonly List[] }) {
  return (
    <Accordion variant="separated" multiple keepMounted={false} mt="md">
      {lists.map(({ pattern, parameters }) => (
        <Accordion.Item key={pattern} value={pattern}>
          <Accordion.Control>{words(pattern)}</Accordion.Control>
          <Accordion.Panel>
            <PatternAnswer {...{ design, name: pattern, parameters }} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

interface Paged {
  readonly design: ToldDesign
  readonly entity: string
  readonly item: Values
  readonly lists: readonly List[]
}

function Page({
  room,
  design,
  entity,
  id,
  panels,
}: {
  readonly room: 'people' | 'tenants'
  readonly design: ToldDesign
  readonly entity: string
  readonly id: Values
  /** The panels of the page, and the lists that they show. */
  readonly panels: (of: Paged) => { readonly own: readonly Panel[]; readonly shown: readonly string[] }
}) {
  const { tab } = useParams({ strict: false })
  const navigate = useNavigate()
  const read = useQuery(itemQuery(design.form.design, entity, id))
  const item = read.data ?? undefined
  // A range of time ends today: it is made once for each item.
  const lists = useMemo(() => (item === undefined ? [] : listsFrom(design, entity, item, Date.now())), [design, entity, item])
  if (read.isPending) return <Waiting of={words(entity)} />
  if (read.isError) return <Failed error={read.error} again={read.refetch} />
  if (item === undefined)
    return (
      <Nothing isScreen title={`There is no such ${words(entity).toLowerCase()}`}>
        It may have been removed since this page was linked.
      </Nothing>
    )
  const of = { design, entity, item, lists }
  const { own, shown } = panels(of)
  const isAudit = ({ of: listed }: List) => design.form.entities[listed]?.appendOnly === true
  const audits = lists.filter(isAudit)
  const others = bestLists(lists.filter((list) => !isAudit(list) && !shown.includes(list.of)))
  const all: readonly Panel[] = [
    ...own,
    ...audits.slice(0, 1).map(({ pattern, parameters }) => ({
      tab: 'audit',
      title: 'Audit',
      content: <PatternAnswer {...{ design, name: pattern, parameters }} />,
    })),
    {
      tab: 'about',
      title: 'About',
      content: (
        <>
          <About {...{ design, entity, item }} />
          {others.length > 0 && <Others {...{ design, lists: others }} />}
        </>
      ),
    },
  ]
  const open = all.find((panel) => panel.tab === tab) ?? all[0]
  const above = leadsOf(design, entity, item).filter((lead) =>
    design.people?.places.some((place) => place.entity === (design.form.entities[lead.to]?.owner ?? lead.to)),
  )
  return (
    <Stack maw={1120} gap="md">
      <div>
        <Breadcrumbs separator="›" separatorMargin={6}>
          <Text c="dimmed" size="sm">
            {words(entity)}
          </Text>
          {above.map((lead) => (
            <Named key={lead.attribute} {...{ design, lead }} />
          ))}
        </Breadcrumbs>
        <Group justify="space-between" align="flex-start" mt={4}>
          <div>
            <Group gap="sm">
              <Title order={1} size="h2">
                <bdi className="whole">{calledBy(design, entity, item) ?? words(entity)}</bdi>
              </Title>
              {typeof item.status === 'string' && <State state={item.status} />}
              {ownKey(design, entity) !== undefined && <Id id={textOf(item[ownKey(design, entity) ?? ''])} />}
            </Group>
            {typeof item.email === 'string' && (
              <Text c="dimmed" size="sm" className="whole">
                {item.email}
              </Text>
            )}
          </div>
          <Doing {...{ design, entity, item }} />
        </Group>
      </div>
      <Tabs
        value={open?.tab ?? null}
        keepMounted={false}
        onChange={(next) =>
          next !== null &&
          navigate({ to: `/$design/${room}/$entity/$tab`, params: { design: design.form.design, entity, tab: next }, search: searchOf(id) })
        }
      >
        <Tabs.List mb="md">
          {all.map(({ tab: value, title }) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {all.map(({ tab: value, content }) => (
          <Tabs.Panel key={value} value={value}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

/** The page of an item of the entity in the address, by tabs that are in the address, too. */
export function PageScreen({ room, panels }: Pick<Parameters<typeof Page>[0], 'panels' | 'room'>) {
  const { entity = '' } = useParams({ strict: false })
  const id = keyInAddress(useSearch({ strict: false }) as Readonly<Record<string, string>>)
  return (
    <OfPeople>
      {(design) =>
        Object.hasOwn(design.form.entities, entity) ? (
          <Page key={JSON.stringify([entity, id])} {...{ room, design, entity, id, panels }} />
        ) : (
          <Nothing isScreen title="There is no such entity">
            The design {design.form.design} has none of this name.
          </Nothing>
        )
      }
    </OfPeople>
  )
}
