import { Badge, Group, Stack, Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../app/service.ts'
import { capital, keyOf, labelOf, ownKey, type ToldDesign, type Values, words } from '../app/told.ts'
import { Instant, Value } from '../app/value.tsx'
import { fits } from '../ask/candidates.ts'
import { targetQuery } from '../flows/told-flows.ts'
import { PageLink } from '../people/named.tsx'
import { subjectOf, toldOf } from './records.ts'

/** An item by its name, if the design finds it by its id and it is still there; else by its id. */
function Called({ design, entity, id }: { readonly design: ToldDesign; readonly entity: string | undefined; readonly id: string }) {
  const { data: session } = useQuery(sessionQuery)
  const own = ownKey(design, entity) ?? ''
  const target = targetQuery(design, entity, { [own]: id })
  const isId = entity !== undefined && fits(design, [entity], own, id)
  const { data } = useQuery({ ...target, enabled: target.enabled === true && isId && session?.may.includes('read') === true })
  const key = data === null || data === undefined || entity === undefined ? undefined : keyOf(design, entity, data)
  if (data === null || data === undefined || key === undefined) return <Value value={id} />
  return (
    <PageLink design={design} entity={entity ?? ''} id={key}>
      <bdi className="whole">{labelOf(data) ?? id}</bdi>
    </PageLink>
  )
}

/** Who acted: a person by name, or another actor by its kind and name. */
export function Actor({ design, by }: { readonly design: ToldDesign; readonly by: string }) {
  const [kind = '', ...name] = by.split(' ')
  if (name.length === 0) return <Called design={design} entity={subjectOf(design)} id={by} />
  return (
    <>
      {capital(kind)} <Value value={name.join(' ')} />
    </>
  )
}

const colors: Readonly<Record<string, string>> = { warning: 'yellow', critical: 'red' }

/** One record: who did what to which item, when, and what was before and is after. */
export function Entry({ design, record }: { readonly design: ToldDesign; readonly record: Values }) {
  const { at, act, by, entity, id, changes, severity = 'info', status = 'success', from } = toldOf(record)
  return (
    <Timeline.Item
      component="li"
      color={colors[severity] ?? 'indigo'}
      title={
        <Text>
          <Actor design={design} by={by} /> ran{' '}
          <Text span fw={600}>
            {words(act)}
          </Text>
          {entity !== undefined && <> on {words(entity)} </>}
          {id !== undefined && <Called design={design} entity={entity} id={id} />}
        </Text>
      }
    >
      <Stack gap={4}>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {at === undefined ? '' : <Instant at={at} />}
            {from === undefined ? '' : ` from ${from}`}
          </Text>
          {severity !== 'info' && (
            <Badge size="sm" variant="default">
              {severity}
            </Badge>
          )}
          {!['success', 'sent', 'delivered'].includes(status) && (
            <Badge size="sm" color="red.9">
              {status}
            </Badge>
          )}
        </Group>
        {changes.map(({ name, before, after }) => (
          <Text key={name} size="sm">
            <Text span c="dimmed">
              {words(name)}
            </Text>{' '}
            {before !== undefined && (
              <>
                <Text span td="line-through">
                  <Value value={before} />
                </Text>{' '}
                →{' '}
              </>
            )}
            <Value value={after} />
          </Text>
        ))}
      </Stack>
    </Timeline.Item>
  )
}
