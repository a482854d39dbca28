import { Combobox, Loader, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { catalogueQuery, designQuery, type Session } from '../app/service.ts'
import { textOf, words } from '../app/told.ts'
import { usePermitted } from '../flows/permitted.ts'
import { flowsQuery } from '../flows/told-flows.ts'
import { foundQuery, listed_max } from './look-ups.ts'

interface Entry {
  readonly key: string
  readonly title: string
  readonly more?: string
  readonly go: () => unknown
}

export interface PaletteProps {
  readonly design: string | undefined
  readonly session: Session
  /** The screens that are open to this key. */
  readonly screens: readonly { readonly name: string; readonly go: () => unknown }[]
  readonly close: () => void
}

const shown_max = 8

/** Opened by Ctrl-K. It finds items by their id, address or name, and flows, screens and designs by their name. The keyboard alone is enough. */
export function Palette({ design, session, screens, close }: PaletteProps) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed.trim(), 200)
  const isSearched = searched === typed.trim()
  const store = useCombobox({ opened: true })
  const told = useQuery({ ...designQuery(design ?? ''), enabled: design !== undefined })
  const flows = useQuery(flowsQuery(design ?? '', session))
  const catalogue = useQuery(catalogueQuery)
  const canRead = session.may.includes('read')
  // The queries of another text are of no use: without a design nothing is asked.
  const looking =
    told.data === undefined
      ? { queryKey: ['found'], enabled: false, queryFn: () => ({ items: [], cut: [] }) }
      : foundQuery(told.data, searched)
  const found = useQuery({
    ...(looking as ReturnType<typeof foundQuery>),
    enabled: canRead && told.data !== undefined && searched.length > 1,
  })
  const wanted = typed.trim().toLowerCase().split(/\s+/)
  const has = (...texts: readonly string[]) => wanted.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
  const at = design ?? ''
  const ranked = (flows.data ?? [])
    .map((flow) => ({ flow, given: {}, rank: has(words(flow.name), flow.name) ? 0 : has(words(flow.name), flow.summary) ? 1 : 2 }))
    .filter(({ rank }) => rank < 2)
    .sort((one, other) => one.rank - other.rank)
  const permitted = usePermitted(at, ranked)
  const groups: readonly (readonly [string, readonly Entry[]])[] = [
    [
      'Items',
      // Enter opens nothing that was found for an earlier text.
      (isSearched ? (found.data?.items ?? []) : []).map(({ entity, id, label }) => ({
        key: `item ${entity} ${JSON.stringify(id)}`,
        title: label,
        more: words(entity),
        go: () =>
          navigate({
            to: '/$design/item/$entity',
            params: { design: at, entity },
            search: Object.fromEntries(Object.entries(id).map(([name, value]) => [name, textOf(value)])),
          }),
      })),
    ],
    ['Screens', screens.filter(({ name }) => has(name)).map(({ name, go }) => ({ key: `screen ${name}`, title: name, go }))],
    [
      'Flows',
      permitted.map(({ flow }) => ({
        key: `flow ${flow.name}`,
        title: words(flow.name),
        more: flow.summary,
        go: () => navigate({ to: '/$design/flow/$flow', params: { design: at, flow: flow.name } }),
      })),
    ],
    [
      'Designs',
      (catalogue.data ?? [])
        .filter(({ name, summary }) => name !== design && has(name, summary))
        .map(({ name, summary }) => ({
          key: `design ${name}`,
          title: name,
          more: summary,
          go: () => navigate({ to: '/$design', params: { design: name } }),
        })),
    ],
  ]
  const shown = groups.map(([title, entries]) => [title, entries.slice(0, shown_max)] as const).filter(([, entries]) => entries.length > 0)
  const entries = new Map(shown.flatMap(([, each]) => each).map((entry) => [entry.key, entry]))
  const listed = [...entries.keys()].join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its first entry
  useEffect(() => {
    store.selectFirstOption()
  }, [listed])
  return (
    <Modal.Root opened lockScroll={false} onClose={close} size="lg" yOffset="10vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Go to, or do">
        <Modal.Body p="xs">
          <Combobox
            store={store}
            withinPortal={false}
            onOptionSubmit={(key) => {
              close()
              entries.get(key)?.go()
            }}
          >
            <Combobox.EventsTarget>
              <TextInput
                data-autofocus
                aria-label="An id, an address, a name, or what to do"
                placeholder="An id, an address, a name, or what to do"
                value={typed}
                autoComplete="off"
                rightSection={found.isFetching ? <Loader size="xs" /> : undefined}
                onChange={({ currentTarget: { value } }) => setTyped(value)}
              />
            </Combobox.EventsTarget>
            <Combobox.Options tabIndex={0} mah="60vh" mt="xs" style={{ overflowY: 'auto' }} aria-label="What was found">
              {shown.map(([title, each]) => (
                <Combobox.Group key={title} label={title}>
                  {each.map(({ key, title: name, more }) => (
                    <Combobox.Option key={key} value={key}>
                      <Text size="sm" fw={550} lineClamp={1}>
                        <bdi className="whole">{name}</bdi>
                      </Text>
                      {more !== undefined && (
                        <Text size="xs" lineClamp={2}>
                          {more}
                        </Text>
                      )}
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ))}
              {shown.length === 0 && (
                <Combobox.Empty>
                  {found.isFetching || !isSearched ? 'Looking …' : 'Nothing has this id, address or name here, and nothing is called so.'}
                </Combobox.Empty>
              )}
            </Combobox.Options>
            {isSearched && found.data !== undefined && found.data.cut.length > 0 && (
              <Text size="xs" c="dimmed" p="xs" role="status">
                By name only the first {listed_max} are searched of: {found.data.cut.map((each) => words(each).toLowerCase()).join(', ')}.
                An id or an address finds any.
              </Text>
            )}
          </Combobox>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
