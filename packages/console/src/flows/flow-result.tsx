import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { columnsOf, ItemTable } from '../app/item-table.tsx'
import { Failed, Nothing } from '../app/states.tsx'
import { entityOf, keyOf, labelOf, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { ItemLink } from '../app/value.tsx'
import { download } from '../ask/csv.ts'
import { AttributeTable } from './attribute-table.tsx'
import type { ToldFlow } from './told-flows.ts'

/** The attributes that differ, as they were and as they are. An item that was not there has no former values. */
export function Changes({ before, after }: { readonly before: Values | null | undefined; readonly after: Values }) {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !['Type', 'entity', 'version'].includes(name) && textOf(before?.[name]) !== textOf(after[name]),
  )
  const columns: readonly (readonly [string, Values])[] = before
    ? [
        ['Before', before],
        ['After', after],
      ]
    : [['Value', after]]
  return <AttributeTable label="What was written" names={names} columns={columns} />
}

interface FlowResultProps {
  readonly design: ToldDesign
  readonly flow: ToldFlow
  readonly result: Values | undefined
  readonly before: Values | null | undefined
  /** Reads the next page. */
  readonly next: (cursor: string) => Promise<Values | undefined>
}

function Pages({ flow, result, next }: Pick<FlowResultProps, 'flow' | 'next'> & { readonly result: Values }) {
  const [pages, setPages] = useState([result])
  const cursor = pages.at(-1)?.cursor
  const more = useMutation({
    mutationFn: () => next(String(cursor)),
    onSuccess: (page) => page !== undefined && setPages((all) => [...all, page]),
  })
  const save = useMutation({
    mutationFn: async () => {
      const all = [...pages]
      for (let at = cursor; at !== undefined; at = all.at(-1)?.cursor) all.push((await next(String(at))) ?? {})
      const lines = all.flatMap(({ items = [] }) => items as readonly Values[]).map((item) => JSON.stringify(item))
      download(`${flow.name}.jsonl`, lines.join('\n'), 'application/jsonl')
    },
  })
  // A page is a list of objects: the client has checked it.
  const rows = pages.flatMap(({ items }) => items as readonly Values[])
  if (rows.length === 0 && cursor === undefined) return <Nothing title="Nothing">The list of this flow is empty.</Nothing>
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {rows.length} {rows.length === 1 ? 'row' : 'rows'}
          {cursor === undefined ? '' : ', and more'}
        </Text>
        <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
          Save all
        </Button>
      </Group>
      {save.isError && <Failed error={save.error} />}
      <ItemTable rows={rows} columns={columnsOf(rows, ['Type', 'entity', 'version'])} caption={words(flow.name)} />
      {more.isError && <Failed error={more.error} />}
      {cursor !== undefined && (
        <Button variant="default" loading={more.isPending} onClick={() => more.mutate()} style={{ alignSelf: 'center' }}>
          Show more
        </Button>
      )}
    </>
  )
}

/** What a flow gave, or wrote: the item before and after, a page, values, or the durable jobs that finish it. */
export function FlowResult({ design, flow, result, before, next }: FlowResultProps) {
  const { pending, replayed, ...values } = result ?? {}
  const jobs = Array.isArray(pending) ? (pending as readonly Values[]) : []
  const entity = flow.returns === 'item' ? entityOf(values) : ''
  const id = entity === '' ? undefined : keyOf(design, entity, values)
  const isRead = flow.effect === 'read'
  return (
    <Stack gap="sm" role="status">
      {jobs.length > 0 ? (
        <Alert color="blue" title="Begun">
          {jobs.length === 1 ? 'A durable job finishes it.' : `${jobs.length} durable jobs finish it.`} It goes on when this page is closed.
        </Alert>
      ) : (
        !isRead && (
          <Alert color="teal" title={replayed === undefined ? 'Done' : 'It was done before'}>
            {flow.returns === 'nothing' ? 'It is written, with its record.' : 'This is what was written.'}{' '}
            {id !== undefined && (
              <ItemLink design={design.form.design} entity={entity} id={id}>
                {labelOf(values) ?? words(entity)}
              </ItemLink>
            )}
          </Alert>
        )
      )}
      {flow.returns === 'page' && <Pages key={JSON.stringify(values)} flow={flow} result={values} next={next} />}
      {flow.returns === 'item' && jobs.length === 0 && <Changes before={isRead ? undefined : before} after={values} />}
      {flow.returns === 'values' && (
        <Code block className="whole" tabIndex={0}>
          {JSON.stringify(values, null, 2)}
        </Code>
      )}
    </Stack>
  )
}
